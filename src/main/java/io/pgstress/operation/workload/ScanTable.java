package io.pgstress.operation.workload;

import io.pgstress.operation.OperationType;
import io.pgstress.operation.TableCheck;
import io.pgstress.operation.custom.StepsOperation.OperationTables;
import io.pgstress.operation.table.OwnTables;
import io.pgstress.operation.table.SysbenchRows;
import io.pgstress.operation.table.WorkloadOptions;
import io.pgstress.plan.RunOptions;
import io.pgstress.plan.TableName;
import io.pgstress.plan.option.Forms;
import io.pgstress.plan.option.Group;
import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.plan.option.Option;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.target.driver.ControlSql;
import io.pgstress.target.driver.ServerErrors;
import io.pgstress.target.statement.Sql;
import io.pgstress.target.statement.StatementProbe;
import io.pgstress.text.SqlText;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The table that {@code count} and {@code group_by} read: the named one, or one in sysbench's format, created and filled if
 * missing. Rows are those of the table, and bytes those of its pages, whether read or not: an index-only scan may have been
 * enough, as the reported plan shows. Belongs to one thread at a time.
 */
final class ScanTable implements OperationTables {
    static final String OWN = "pgstress_scan";

    static final Option<String> GROUP_BY_WHAT = Option.of("group-by", "SQL", Forms::text)
            .byDefault("k")
            .help(
                    Group.WORKLOAD,
                    "column or expression to group by",
                    "id is the distribution column of the created table.");

    static final Option<Integer> TOP = Option.of("top", "N", Forms.integer(0, 1_000_000_000))
            .byDefault("10")
            .help(Group.WORKLOAD, "groups returned, the largest first; 0: all", "0: in no order.");

    static final Option<Integer> GROUPS = Option.of("groups", "N", Forms.integer(1, Integer.MAX_VALUE))
            .byDefault("100")
            .help(Group.WORKLOAD, "distinct values of column k", "group_by groups by it unless --group-by is given.");

    /** Matches a plan's first line or the line of a lower node, but not a Citus task. */
    private static final Pattern PLAN_NODE = Pattern.compile("^(?:\\s*->\\s*)?([A-Z].*?)(?: (?:on|using) .*)?$");

    private final OperationType.Context context;
    private final String operation;
    private final TableName name;
    private long rows;
    private double rowBytes;

    ScanTable(OperationType.Context context, String operation) {
        this.context = context;
        this.operation = operation;
        this.name = context.get(RunOptions.TABLE).orElse(new TableName("", OWN));
    }

    private boolean isGrouped() {
        return operation.equals("group_by");
    }

    /** The statement that reads the table, with the text of {@code --group-by} as it is. */
    @Override
    public String sql(String written) {
        return SqlText.escaped(sql());
    }

    @Override
    public Map<String, Long> values() {
        return Map.of("rows", rows);
    }

    private String sql() {
        String from = " from " + name.quoted();
        int top = context.get(TOP);
        return isGrouped()
                ? "select " + context.get(GROUP_BY_WHAT) + ", count(*)" + from + " group by 1"
                        + (top == 0 ? "" : " order by 2 desc, 1 limit " + top)
                : "select count(*)" + from;
    }

    /** @throws InvalidPlanException if the named table does not exist or has no rows, or cannot be grouped as requested */
    @Override
    public void setUp(Connection control) throws SQLException {
        OwnTables tables = new OwnTables(control, context);
        boolean there = tables.exists(name.quoted());
        if (name.equals(new TableName("", OWN))) {
            int asked = context.get(WorkloadOptions.TABLE_ROWS);
            int groups = context.get(GROUPS);
            boolean isOther = there
                    && !context.isDryRun()
                    && (tables.isOther(OWN, 0)
                            || tables.number("select count(*) from " + OWN) != asked
                            || (isGrouped() && tables.number("select max(k) from " + OWN) != groups));
            if (!there || isOther) {
                tables.drop(OWN);
                tables.create(OWN, SysbenchRows.COLUMNS + ", primary key (id)", "id", 0);
                SysbenchRows.fill(control, context.work(), OWN, asked, groups, context.seed());
            }
        } else if (!there) {
            throw new InvalidPlanException("table: there is no table " + name);
        }
        rows = tables.number("select count(*) from " + name.quoted());
        if (rows == 0) {
            throw new InvalidPlanException("table: " + name + " has no rows to read");
        }
        rowBytes = (double) tables.number(context.dialect().tables().heapBytes(name)) / rows;
        checkGroups(control);
    }

    private void checkGroups(Connection control) {
        try {
            new StatementProbe(control, new Sql(operation, sql(""))).describe();
        } catch (SQLException e) {
            throw new InvalidPlanException("group-by: '" + context.get(GROUP_BY_WHAT)
                    + "' cannot be computed from table " + name + ": " + ServerErrors.sampleOf(e));
        }
    }

    @Override
    public double rowBytes() {
        return rowBytes;
    }

    @Override
    public List<TableCheck> checks() {
        return TableCheck.of(operation, this::check, List.of());
    }

    /** Reports the table and the plan's shape; nothing was changed, so nothing can be wrong. */
    private List<Remark> check(Connection control) throws SQLException {
        return List.of(
                RemarkCode.TABLE_READ
                        .with("operation", operation)
                        .with("table", name.toString())
                        .with("rows", rows)
                        .with("megabytes", rows * rowBytes / 1e6)
                        .remark(),
                RemarkCode.SCAN_PLAN
                        .with("operation", operation)
                        .with("plan", planShape(control, sql()))
                        .remark());
    }

    /** The nodes of a plan in one line, outermost first. */
    private static String planShape(Connection connection, String sql) throws SQLException {
        return ControlSql.rows(connection, "explain (costs off) " + sql, line -> PLAN_NODE.matcher(line.getString(1)))
                .stream()
                .filter(node -> node.matches() && !node.group(1).equals("Task"))
                .map(node -> node.group(1))
                .collect(Collectors.joining(" < "));
    }
}
