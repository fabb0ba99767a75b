package io.pgstress.operation.table;

import io.pgstress.operation.TalliedClient;
import io.pgstress.operation.WriteTallies.WriteTally;
import io.pgstress.target.statement.SqlStatement;
import io.pgstress.target.statement.SqlStatement.CopyPortions;
import java.sql.SQLException;
import java.util.concurrent.atomic.LongAdder;

/** One client of a load. Not thread-safe. */
final class LoadClient extends TalliedClient implements CopyPortions {
    private final LoadPlan plan;
    private final GeneratedRows rows;
    private final SqlStatement[] statements;
    private final int tables;
    private final int indexes;
    private final LongAdder inputBytes;
    private long drawn = -1;
    private boolean isIn;
    private boolean isLast;
    private int made;
    private long taken;
    private long sentBytes;

    /** @param statements a COPY into each table, then for each table the statements that create its indexes once it is full */
    LoadClient(LoadPlan plan, GeneratedRows rows, SqlStatement[] statements, WriteTally tally, LongAdder inputBytes) {
        super(tally, 0);
        this.plan = plan;
        this.rows = rows;
        this.statements = statements;
        this.tables = plan.tables();
        this.indexes = statements.length / tables - 1;
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
            inputBytes.add(sentBytes);
            isLast = plan.loaded(table) && plan.takeIndexes(table);
            made = 0;
        }
        if (isLast) {
            index(table);
        }
        return Ending.OK;
    }

    private void copy() throws SQLException {
        rows.begin(plan.copy(drawn));
        taken = sendNoted(0); // the check after the run counts the rows that are missing
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
            throw e;
        }
    }

    /** The COPY and the indexes were rolled back with their transaction. */
    private void undo() {
        if (isLast) {
            plan.notIndexed(plan.table(drawn));
        }
        plan.notLoaded(plan.table(drawn));
        inputBytes.add(-sentBytes);
        isIn = false;
    }

    @Override
    protected long send() throws SQLException {
        sentBytes = 0;
        return statements[plan.table(drawn)].copy(this);
    }

    @Override
    public int next() {
        int length = rows.next();
        sentBytes += length;
        return length;
    }

    @Override
    public byte[] bytes() {
        return rows.bytes();
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
}
