package io.pgstress.operation.workload;

import io.pgstress.operation.Ending;
import io.pgstress.operation.TalliedClient;
import io.pgstress.operation.WriteTally;
import io.pgstress.target.statement.SqlStatement;
import java.sql.SQLException;

/** One client of {@link ShardInsert}. Not thread-safe. */
final class ShardClient extends TalliedClient {
    private final ShardRows rows;
    private final SqlStatement[] statements;
    private final int count;
    private final int groups;
    private int from;
    private int to;

    /**
     * @param statements by their number of rows
     * @param groups number of statements into which the rows are split
     */
    ShardClient(ShardRows rows, SqlStatement[] statements, int count, int groups, WriteTally tally) {
        super(tally);
        this.rows = rows;
        this.statements = statements;
        this.count = count;
        this.groups = groups;
    }

    @Override
    public boolean draw() {
        rows.draw();
        return true;
    }

    @Override
    public Ending execute() throws SQLException {
        long in = 0;
        for (int g = 0; g < groups; g++) {
            from = ShardRows.begin(g, count, groups);
            to = ShardRows.begin(g + 1, count, groups);
            in += sendNoted();
        }
        return in < count ? Ending.MISS : Ending.OK;
    }

    @Override
    protected long send() throws SQLException {
        SqlStatement statement = statements[to - from];
        rows.bind(statement, from, to);
        return statement.update();
    }

    @Override
    protected long size() {
        return (long) to - from;
    }

    @Override
    public long rows() {
        return count;
    }
}
