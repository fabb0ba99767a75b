package io.pgstress.operation.workload;

import io.pgstress.operation.ClientOperation;
import io.pgstress.operation.Ending;
import io.pgstress.target.statement.CopyPortions;
import io.pgstress.target.statement.SqlStatement;
import java.sql.SQLException;
import java.util.concurrent.atomic.LongAdder;

/** One client of a load. Not thread-safe. */
final class LoadClient implements ClientOperation {
    private final LoadPlan plan;
    private final LoadRows rows;
    private final SqlStatement[] statements;
    private final int tables;
    private final int indexes;
    private final Tally tally;
    private final LongAdder inputBytes;
    private long drawn = -1;
    private boolean isIn;
    private boolean isLast;
    private long taken;

    /** @param indexes that are made of each table at its end */
    LoadClient(
            LoadPlan plan,
            LoadRows rows,
            SqlStatement[] statements,
            int tables,
            int indexes,
            Tally tally,
            LongAdder inputBytes) {
        this.plan = plan;
        this.rows = rows;
        this.statements = statements;
        this.tables = tables;
        this.indexes = indexes;
        this.tally = tally;
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
            copy(table);
            isLast = plan.loaded(table);
        }
        if (isLast) {
            index(table);
        }
        return Ending.OK;
    }

    private void index(int table) throws SQLException {
        try {
            for (int i = 0; i < indexes; i++) {
                statements[tables + table * indexes + i].update();
            }
        } catch (SQLException e) {
            if (tally.isInTransaction()) {
                Tallies.failed(tally, e);
                undo();
            }
            throw e;
        }
    }

    /** The COPY went with its transaction. */
    private void undo() {
        plan.notLoaded(plan.table(drawn));
        isIn = false;
    }

    private void copy(int table) throws SQLException {
        rows.begin(plan.copy(drawn));
        Counted counted = new Counted(rows);
        tally.sent();
        try {
            taken = statements[table].copy(counted);
            tally.acknowledged(taken);
            isIn = true;
        } catch (SQLException e) {
            Tallies.failed(tally, e);
            throw e;
        }
        inputBytes.add(counted.sum);
    }

    @Override
    public void committed() {
        tally.committed();
    }

    @Override
    public void notCommitted(SQLException e) {
        Tallies.notCommitted(tally, e);
        undo();
    }

    @Override
    public long rows() {
        return taken;
    }

    /** Portions whose bytes are counted. */
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
