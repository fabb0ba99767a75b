package io.pgstress.operation.workload;

import io.pgstress.operation.OperationType;
import io.pgstress.plan.RunOptions;
import io.pgstress.plan.TableName;
import io.pgstress.plan.option.Forms;
import io.pgstress.plan.option.Group;
import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.plan.option.Option;
import java.sql.Connection;
import java.sql.SQLException;

/** The table to scan: the named one, or one in sysbench's format, created and filled if missing. */
final class ScanTable {
    static final String OWN = "pgstress_scan";

    static final Option<Integer> GROUPS = Option.of("groups", "N", Forms.integer(1, Integer.MAX_VALUE))
            .byDefault("100")
            .help(Group.WORKLOAD, "Distinct values of column k, which group_by groups by unless --group-by is given.");

    private final OperationType.Context context;
    private final boolean isGrouped;
    private final TableName name;
    private long rows;
    private double rowBytes;

    /** @param isGrouped whether the number of distinct values in column k matters */
    ScanTable(OperationType.Context context, boolean isGrouped) {
        this.isGrouped = isGrouped;
        this.context = context;
        this.name = context.get(RunOptions.TABLE).orElse(new TableName("", OWN));
    }

    TableName name() {
        return name;
    }

    /** Number of rows, counted by {@link #setUp}. */
    long rows() {
        return rows;
    }

    /** The table's size divided by its rows. */
    double rowBytes() {
        return rowBytes;
    }

    /** @throws InvalidPlanException if the named table does not exist or has no rows */
    void setUp(Connection control) throws SQLException {
        OwnTables tables = new OwnTables(control, context);
        boolean there = tables.exists(name.quoted());
        if (name.equals(new TableName("", OWN))) {
            int asked = context.get(WorkloadOptions.TABLE_ROWS);
            boolean isOther = there
                    && !context.isDryRun()
                    && (tables.isOther(OWN, 0)
                            || tables.number("select count(*) from " + OWN) != asked
                            || (isGrouped && tables.number("select max(k) from " + OWN) != context.get(GROUPS)));
            if (!there || isOther) {
                make(tables, control, asked);
            }
        } else if (!there) {
            throw new InvalidPlanException("table: there is no table " + name);
        }
        rows = tables.number("select count(*) from " + name.quoted());
        if (rows == 0) {
            throw new InvalidPlanException("table: " + name + " has no rows to read");
        }
        rowBytes = (double) tables.number(context.dialect().tables().heapBytes(name)) / rows;
    }

    private void make(OwnTables tables, Connection control, int count) throws SQLException {
        tables.drop(OWN);
        tables.create(OWN, SysbenchRows.COLUMNS + ", primary key (id)", "id", 0);
        SysbenchFill.fill(control, context.work(), OWN, count, context.get(GROUPS), context.seed());
    }
}
