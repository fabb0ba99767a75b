package io.pgstress.operation.workload;

import io.pgstress.operation.OperationType;
import io.pgstress.operation.custom.StepsOperation.OperationTables;
import io.pgstress.operation.table.OwnTables;
import io.pgstress.operation.table.SysbenchRows;
import io.pgstress.operation.table.WorkloadOptions;
import io.pgstress.plan.RunOptions;
import io.pgstress.plan.option.InvalidPlanException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The tables {@code sbtest1} to {@code sbtestN}: sysbench's own, or created in its format. If the mix needs rows, those
 * created here have {@code --table-rows} rows with the ids from 1, and others must have some. Belongs to one thread at a time.
 */
final class SysbenchTables implements OperationTables {
    /** What an operation does with rows. */
    enum Use {
        INSERT,
        READ,
        UPDATE,
        DELETE
    }

    private final OperationType.Context context;
    private final Use use;
    private final boolean needsRows;
    private final boolean insertsRows;
    private final Map<String, Long> values = new HashMap<>();
    private boolean isTouched;

    /**
     * @param needsRows whether an operation of the mix reads, updates or deletes rows
     * @param insertsRows whether one inserts rows
     */
    SysbenchTables(OperationType.Context context, Use use, boolean needsRows, boolean insertsRows) {
        this.context = context;
        this.use = use;
        this.needsRows = needsRows;
        this.insertsRows = insertsRows;
    }

    private List<String> names() {
        return IntStream.rangeClosed(1, context.get(WorkloadOptions.TABLES))
                .mapToObj(t -> "sbtest" + t)
                .toList();
    }

    /** If the mix needs rows: the greatest id that all tables have, and whether they have all ids up to their greatest. */
    @Override
    public Map<String, Long> values() {
        return values;
    }

    @Override
    public List<String> claims() {
        return List.of("sbtest1");
    }

    /**
     * Creates the tables that are missing, and those again that have other options than requested, and fills them.
     *
     * @throws InvalidPlanException if a table that was not created here does not match the options, or if it would delete
     *     rows that it cannot restore, and {@code --no-reset} is not given
     */
    @Override
    public void setUp(Connection control) throws SQLException {
        OwnTables own = new OwnTables(control, context);
        List<String> names = names();
        for (int t = 1; t <= names.size(); t++) {
            String table = names.get(t - 1);
            if (own.isOther(table, t)) {
                own.drop(table);
            }
            if (!own.exists(table)) {
                own.create(table, SysbenchRows.COLUMNS + ", primary key (id)", "id", t);
                own.execute("create index k_" + t + " on " + table + " (k)");
            }
        }
        values.clear();
        if (needsRows && !context.isDryRun()) {
            for (String table : names) {
                fill(control, own, table);
            }
        }
    }

    private void fill(Connection control, OwnTables own, String table) throws SQLException {
        int rows = context.get(WorkloadOptions.TABLE_ROWS);
        long greatest = own.number("select coalesce(max(id), 0) from " + table);
        boolean isOurs = own.isOurs(table);
        boolean mayFill = isOurs && (greatest == 0 || !context.get(RunOptions.NO_RESET));
        boolean isWhole = (!mayFill || greatest == rows)
                && own.number("select count(*) from " + table + " where id > 0") == greatest;
        if (mayFill && !isWhole) {
            own.execute("truncate " + table);
            SysbenchRows.fill(control, context.work(), table, rows, rows, context.seed());
            greatest = rows;
            isWhole = true;
        } else if (greatest == 0) {
            throw new InvalidPlanException("table: " + table + " has no rows; fill it, or drop it: then it"
                    + " is created with --table-rows rows");
        } else if (!isOurs && greatest != rows && context.options().isGiven(WorkloadOptions.TABLE_ROWS)) {
            throw new InvalidPlanException("table-rows: " + table + " has ids up to " + greatest
                    + " and was not created by this program, which leaves it alone; drop it, or leave out the option");
        }
        if (use == Use.DELETE && !isOurs && !context.get(RunOptions.NO_RESET)) {
            throw new InvalidPlanException("table: " + table + " was not created by this program, so oltp_delete"
                    + " could not restore its rows; give --no-reset if they may be deleted, or drop the table");
        }
        values.merge("rows", greatest, Math::min);
        values.merge("dense", isWhole ? 1L : 0L, Math::min);
    }

    /**
     * Inserts begin with empty tables, and deletes with full ones, which keep the rows with greater ids if the mix inserts
     * some; those of others are left alone.
     */
    @Override
    public boolean reset(Connection control) throws SQLException {
        boolean hasReset = false;
        OwnTables own = new OwnTables(control, context);
        int rows = context.get(WorkloadOptions.TABLE_ROWS);
        for (String table : names()) {
            if (use == Use.INSERT && !needsRows && own.isOurs(table)) {
                own.execute("truncate " + table);
                hasReset = true;
            } else if (use == Use.DELETE && isTouched && own.isOurs(table)) {
                own.execute(
                        insertsRows ? "delete from " + table + " where id between 1 and " + rows : "truncate " + table);
                SysbenchRows.fill(control, null, table, rows, rows, context.seed()); // connections may be scarce now
                hasReset = true;
            }
        }
        isTouched = true;
        return hasReset;
    }
}
