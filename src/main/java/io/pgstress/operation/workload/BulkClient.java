package io.pgstress.operation.workload;

import io.pgstress.operation.Ending;
import io.pgstress.operation.TalliedClient;
import io.pgstress.operation.WriteTally;
import io.pgstress.target.statement.CopyPortions;
import io.pgstress.target.statement.SqlStatement;
import java.sql.SQLException;

/** One client of a bulk insert. Not thread-safe. */
final class BulkClient extends TalliedClient {
    private final BulkWay way;
    private final BulkRows rows;
    private final SqlStatement statement;
    private final Round round;

    BulkClient(BulkWay way, BulkRows rows, SqlStatement statement, WriteTally tally, Round round) {
        super(tally);
        this.way = way;
        this.rows = rows;
        this.statement = statement;
        this.round = round;
    }

    @Override
    public boolean draw() {
        if (round.isOver()) {
            return false;
        }
        rows.draw();
        return true;
    }

    @Override
    public Ending execute() throws SQLException {
        return sendNoted() < rows.count() ? Ending.MISS : Ending.OK;
    }

    @Override
    protected long send() throws SQLException {
        switch (way) {
            case COPY -> {
                byte[] bytes = rows.asCopy();
                return statement.copy(CopyPortions.of(bytes, rows.writeCopy(bytes)));
            }
            case BATCH -> {
                for (int row = 0; row < rows.count(); row++) {
                    statement.setLong(1, rows.id(row));
                    statement.setText(2, rows.text(row));
                    statement.addBatch();
                }
                return statement.updateBatch();
            }
            default -> {
                for (int row = 0; row < rows.count(); row++) {
                    statement.setLong(2 * row + 1, rows.id(row));
                    statement.setText(2 * row + 2, rows.text(row));
                }
                return statement.update();
            }
        }
    }

    @Override
    protected long size() {
        return rows.count();
    }

    @Override
    public long rows() {
        return rows.count();
    }
}
