package io.pgstress.operation.bulk;

import io.pgstress.operation.Ending;
import io.pgstress.operation.TalliedClient;
import io.pgstress.operation.WriteTally;
import io.pgstress.target.statement.SqlStatement;
import io.pgstress.target.statement.SqlStatement.CopyPortions;
import java.sql.SQLException;
import java.util.concurrent.atomic.LongAdder;

/** One client of a load. Not thread-safe. */
final class LoadClient extends TalliedClient {
    private final LoadPlan plan;
    private final LoadRows rows;
    private final SqlStatement[] statements;
    private final int tables;
    private final int indexes;
    private final LongAdder inputBytes;
    private long drawn = -1;
    private boolean isIn;
    private boolean isLast;
    private int made;
    private long taken;
    private long bytes;

    /** @param indexes statements that create each table's indexes once it is full */
    LoadClient(
            LoadPlan plan,
            LoadRows rows,
            SqlStatement[] statements,
            int tables,
            int indexes,
            WriteTally tally,
            LongAdder inputBytes) {
        super(tally);
        this.plan = plan;
        this.rows = rows;
        this.statements = statements;
        this.tables = tables;
        this.indexes = indexes;
        this.inputBytes = inputBytes;
    }

    @Override
    public boolean draw() {
        drawn = plan.draw();
        isIn = false;
        return drawn >= 0;
    }

    @Override
    public boolean isDone() {
        return true;
    }

    @Override
    public Ending execute() throws SQLException {
        int table = plan.table(drawn);
        if (!isIn) {
            copy();
            isIn = true;
            inputBytes.add(bytes);
            isLast = plan.loaded(table) && plan.takeIndexes(table);
            made = 0;
        }
        if (isLast) {
            index(table);
        }
        return Ending.OK;
    }

    private void copy() throws SQLException {
        try {
            rows.begin(plan.table(drawn), plan.copy(drawn));
            taken = sendNoted();
        } catch (SQLException e) {
            throw rows.placed(e, false);
        }
    }

    private void index(int table) throws SQLException {
        try {
            for (; made < indexes; made++) {
                statements[tables + table * indexes + made].update();
            }
            plan.indexed(table);
        } catch (SQLException e) {
            if (isInTransaction()) {
                failed(e);
                undo();
            }
            throw rows.placed(e, true);
        }
    }

    /** The COPY and the indexes were rolled back with their transaction. */
    private void undo() {
        if (isLast) {
            plan.notIndexed(plan.table(drawn));
        }
        plan.notLoaded(plan.table(drawn));
        inputBytes.add(-bytes);
        isIn = false;
    }

    @Override
    protected long send() throws SQLException {
        Counted counted = new Counted(rows);
        long in = statements[plan.table(drawn)].copy(counted);
        bytes = counted.sum;
        return in;
    }

    /** How many rows of a file a COPY has is unknown until the server has counted them. */
    @Override
    protected long size() {
        return 0;
    }

    @Override
    public void notCommitted(SQLException e) {
        super.notCommitted(e);
        undo();
    }

    @Override
    public long rows() {
        return taken;
    }

    /** Counts the bytes of the portions it passes on. */
    private static final class Counted implements CopyPortions {
        private final CopyPortions portions;
        private long sum;

        Counted(CopyPortions portions) {
            this.portions = portions;
        }

        @Override
        public int next() throws SQLException {
            int length = portions.next();
            sum += length;
            return length;
        }

        @Override
        public byte[] bytes() {
            return portions.bytes();
        }
    }
}
