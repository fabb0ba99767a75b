package io.pgstress.operation.workload;

import io.pgstress.operation.ClientOperation;
import io.pgstress.operation.Ending;
import io.pgstress.target.statement.SqlStatement;
import java.sql.SQLException;

/** One client of an insert into some shards. Not thread-safe. */
final class ShardClient implements ClientOperation {
    private final ShardRows rows;
    private final SqlStatement[] statements;
    private final int count;
    private final int groups;
    private final Tally tally;

    /**
     * @param statements by their number of rows
     * @param groups how many statements the rows go out by
     */
    ShardClient(ShardRows rows, SqlStatement[] statements, int count, int groups, Tally tally) {
        this.rows = rows;
        this.statements = statements;
        this.count = count;
        this.groups = groups;
        this.tally = tally;
    }

    @Override
    public boolean draw() {
        rows.draw();
        return true;
    }

    @Override
    public Ending execute() throws SQLException {
        for (int g = 0; g < groups; g++) {
            int from = ShardRows.begin(g, count, groups);
            int to = ShardRows.begin(g + 1, count, groups);
            SqlStatement statement = statements[to - from];
            rows.bind(statement, from, to);
            tally.sent();
            try {
                tally.acknowledged(statement.update());
            } catch (SQLException e) {
                Tallies.failed(tally, e);
                throw e;
            }
        }
        return Ending.OK;
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
        return count;
    }
}
