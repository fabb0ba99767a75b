package io.pgstress.operation.workload;

import io.pgstress.operation.Ending;
import io.pgstress.operation.TalliedClient;
import io.pgstress.operation.WriteTally;
import io.pgstress.target.statement.SqlStatement;
import io.pgstress.target.statement.SqlStatement.CopyPortions;
import java.sql.SQLException;

/** One client of a bulk insert. Not thread-safe. */
final class BulkClient extends TalliedClient {
    private final BulkWay way;
    private final boolean idsOnly;
    private final BulkRows rows;
    private final SqlStatement statement;
    private final Round round;

    /** @param idsOnly whether the server makes the texts */
    BulkClient(BulkWay way, boolean idsOnly, BulkRows rows, SqlStatement statement, WriteTally tally, Round round) {
        super(tally);
        this.idsOnly = idsOnly;
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
                return statement.copy(CopyPortions.of(bytes, rows.writeCopy(bytes, idsOnly)));
            }
            case BATCH -> {
                for (int row = 0; row < rows.count(); row++) {
                    bind(row, 1);
                    statement.addBatch();
                }
                return statement.updateBatch();
            }
            default -> {
                for (int row = 0; row < rows.count(); row++) {
                    bind(row, idsOnly ? row + 1 : 2 * row + 1);
                }
                return statement.update();
            }
        }
    }

    private void bind(int row, int first) throws SQLException {
        statement.setLong(first, rows.id(row));
        if (!idsOnly) {
            statement.setText(first + 1, rows.text(row));
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
