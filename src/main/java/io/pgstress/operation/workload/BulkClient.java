package io.pgstress.operation.workload;

import io.pgstress.operation.ClientOperation;
import io.pgstress.operation.Ending;
import io.pgstress.target.statement.CopyPortions;
import io.pgstress.target.statement.SqlStatement;
import java.sql.SQLException;

/** One client of a bulk insert. Not thread-safe. */
final class BulkClient implements ClientOperation {
    private final BulkWay way;
    private final BulkRows rows;
    private final SqlStatement statement;
    private final Tally tally;
    private final Round round;

    BulkClient(BulkWay way, BulkRows rows, SqlStatement statement, Tally tally, Round round) {
        this.way = way;
        this.rows = rows;
        this.statement = statement;
        this.tally = tally;
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
        tally.sent();
        try {
            tally.acknowledged(send());
            return Ending.OK;
        } catch (SQLException e) {
            Tallies.failed(tally, e);
            throw e;
        }
    }

    private long send() throws SQLException {
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
    public void committed() {
        tally.committed();
    }

    @Override
    public void notCommitted(SQLException e) {
        Tallies.notCommitted(tally, e);
    }

    @Override
    public long rows() {
        return rows.count();
    }
}
