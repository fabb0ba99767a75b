package io.pgstress.operation.workload;

import io.pgstress.operation.OperationType;
import io.pgstress.operation.workload.SysbenchRows.SysbenchFill;
import io.pgstress.plan.RunOptions;
import io.pgstress.plan.option.InvalidPlanException;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * sysbench's tables with their rows: {@code --table-rows} with the ids from 1 in tables created here, and in others what
 * they hold. Belongs to one thread until the clients start.
 */
final class FilledTables {
    private final OperationType.Context context;
    private final SysbenchTables tables;
    private int rows;
    private boolean isDense;

    FilledTables(OperationType.Context context, SysbenchTables tables) {
        this.context = context;
        this.tables = tables;
    }

    /** The greatest id that all tables have; known after {@link #setUp}. */
    int rows() {
        return rows;
    }

    /** Whether all tables have all ids from 1 to {@link #rows} at the start of the load. */
    boolean isDense() {
        return isDense;
    }

    /**
     * Creates and fills the tables that are missing or do not have the requested rows.
     *
     * @throws InvalidPlanException if a table that was not created here does not match the options
     */
    void setUp(Connection control) throws SQLException {
        tables.create(control);
        OwnTables own = new OwnTables(control, context);
        int least = Integer.MAX_VALUE;
        boolean dense = true;
        for (String table : tables.names()) {
            long greatest = greatest(own, table);
            boolean isWhole = count(own, table) == greatest;
            if (!context.isDryRun() && own.isOurs(table) && mayFill(greatest) && !(isWhole && hasAsked(greatest))) {
                greatest = asked();
                isWhole = true;
                own.execute("truncate " + table);
                SysbenchFill.fill(control, context.work(), table, asked(), asked(), context.seed());
            }
            check(own, table, greatest);
            dense &= isWhole;
            least = (int) Math.min(least, Math.max(1, greatest));
        }
        rows = least;
        isDense = dense;
    }

    /** Restores the rows of the tables created here; rows with greater ids stay if the run inserts some. */
    void restore(Connection control) throws SQLException {
        OwnTables own = new OwnTables(control, context);
        for (String table : tables.names()) {
            if (own.isOurs(table)) {
                own.execute(
                        tables.mixHas(OltpInsert.TYPE)
                                ? "delete from " + table + " where id between 1 and " + rows
                                : "truncate " + table);
                SysbenchFill.fill(control, null, table, rows, rows, context.seed()); // connections may be scarce now
            }
        }
    }

    private boolean mayFill(long greatest) {
        return greatest == 0 || !context.get(RunOptions.NO_RESET);
    }

    private void check(OwnTables own, String table, long greatest) throws SQLException {
        if (greatest == 0 && !context.isDryRun()) {
            throw new InvalidPlanException("table: " + table + " has no rows to change; fill it, or drop it: then it"
                    + " is created with --table-rows rows");
        }
        boolean isOther = context.options().isGiven(WorkloadOptions.TABLE_ROWS) && !hasAsked(greatest);
        if (isOther && !context.isDryRun() && !own.isOurs(table)) {
            throw new InvalidPlanException("table-rows: " + table + " has ids up to " + greatest
                    + " and was not created by this program, which leaves it alone; drop it, or leave out the option");
        }
    }

    private int asked() {
        return context.get(WorkloadOptions.TABLE_ROWS);
    }

    private boolean hasAsked(long greatest) {
        return greatest == asked();
    }

    private static long greatest(OwnTables own, String table) throws SQLException {
        return own.number("select coalesce(max(id), 0) from " + table);
    }

    private static long count(OwnTables own, String table) throws SQLException {
        return own.number("select count(*) from " + table + " where id > 0");
    }

    /** Number of rows that all tables have of the ids that the clients draw. */
    long countAll(Connection control) throws SQLException {
        OwnTables own = new OwnTables(control, context);
        long all = 0;
        for (String table : tables.names()) {
            all += own.number("select count(*) from " + table + " where id between 1 and " + rows);
        }
        return all;
    }

    /** The sum of column k over the rows that the clients draw. */
    long sumOfK(Connection control) throws SQLException {
        OwnTables own = new OwnTables(control, context);
        long all = 0;
        for (String table : tables.names()) {
            all += own.number("select coalesce(sum(k), 0) from " + table + " where id between 1 and " + rows);
        }
        return all;
    }
}
