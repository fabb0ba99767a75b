package io.pgstress.operation.workload;

import io.pgstress.operation.ClientOperation;
import io.pgstress.operation.ClientOperation.Ending;
import io.pgstress.operation.Operation;
import io.pgstress.operation.OperationProfile;
import io.pgstress.operation.OperationType;
import io.pgstress.operation.OperationType.Trait;
import io.pgstress.operation.TableCheck;
import io.pgstress.operation.TableCheck.PostRunCheck;
import io.pgstress.operation.workload.SysbenchRows.SysbenchFill;
import io.pgstress.plan.RunOptions;
import io.pgstress.plan.TableName;
import io.pgstress.plan.option.Forms;
import io.pgstress.plan.option.Group;
import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.plan.option.Option;
import io.pgstress.target.driver.ServerErrors;
import io.pgstress.target.statement.Sql;
import io.pgstress.target.statement.SqlStatement;
import io.pgstress.target.statement.SqlStatement.RowReader;
import io.pgstress.target.statement.StatementProbe;
import io.pgstress.text.SqlParts;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * {@code count} and {@code group_by}: reads a whole table with one statement, for its number of rows or for the most
 * frequent values of a column. Rows are those of the table, and bytes those of its pages, whether read or not: an
 * index-only scan may have been enough, as the reported plan shows.
 */
public final class Scan implements Operation {
    static final Option<String> GROUP_BY_WHAT = Option.of("group-by", "SQL", Forms::text)
            .byDefault("k")
            .help(Group.WORKLOAD, "A column, or an expression; id is the distribution column of the created table.");

    static final Option<Integer> TOP = Option.of("top", "N", Forms.integer(0, 1_000_000_000))
            .byDefault("10")
            .help(Group.WORKLOAD, "Groups returned, the most frequent first; 0: all, in no order.");

    public static final OperationType COUNT = OperationType.of(
                    "count", "counts the rows of a table", c -> new Scan("count", c))
            .selfContained(ScanTable.OWN)
            .with(Trait.TAKES_ANY_TABLE)
            .with(WorkloadOptions.withCreation(WorkloadOptions.TABLE_ROWS));
    public static final OperationType GROUP_BY = OperationType.of(
                    "group_by", "finds the most frequent values of --group-by", c -> new Scan("group_by", c))
            .selfContained(ScanTable.OWN)
            .with(Trait.TAKES_ANY_TABLE)
            .with(WorkloadOptions.withCreation(WorkloadOptions.TABLE_ROWS, ScanTable.GROUPS, GROUP_BY_WHAT, TOP));

    private final String operation;
    private final OperationType.Context context;
    private final ScanTable table;

    private Scan(String operation, OperationType.Context context) {
        this.operation = operation;
        this.context = context;
        this.table = new ScanTable(context, !counts());
    }

    private boolean counts() {
        return operation.equals("count");
    }

    private String by() {
        return context.get(GROUP_BY_WHAT);
    }

    @Override
    public List<Sql> statements(int client) {
        return List.of(new Sql(operation, SqlParts.escaped(sql())));
    }

    private String sql() {
        String from = " from " + table.name().quoted();
        int top = context.get(TOP);
        return counts()
                ? "select count(*)" + from
                : "select " + by() + ", count(*)" + from + " group by 1"
                        + (top == 0 ? "" : " order by 2 desc, 1 limit " + top);
    }

    @Override
    public void setUp(Connection control) throws SQLException {
        table.setUp(control);
        if (!counts()) {
            try {
                new StatementProbe(control, statements(0).get(0)).describe();
            } catch (SQLException e) {
                throw new InvalidPlanException("group-by: '" + by() + "' cannot be computed from table " + table.name()
                        + ": " + ServerErrors.sampleOf(e));
            }
        }
    }

    @Override
    public OperationProfile profile() {
        return OperationProfile.DEFAULT.withRowBytes(table.rowBytes());
    }

    @Override
    public List<TableCheck> checks() {
        return TableCheck.of(this::check);
    }

    /** Reports the table and the plan's shape; nothing was changed, so nothing can be wrong. */
    private List<PostRunCheck> check(Connection control) throws SQLException {
        String read = String.format(
                Locale.ROOT,
                "%s read %s: %,d rows, %,.1f MB",
                operation,
                table.name(),
                table.rows(),
                table.rows() * table.rowBytes() / 1e6);
        String shape = PlanShape.of(control, sql());
        return List.of(new PostRunCheck(true, read), new PostRunCheck(true, "plan of " + operation + ": " + shape));
    }

    @Override
    public ClientOperation forClient(ClientSeat seat) {
        return new OfClient(seat.statement(0));
    }

    private final class OfClient implements ClientOperation {
        private final SqlStatement statement;
        private final RowReader first = row -> found = row.getLong(1);
        private final RowReader all = row -> row.getString(1);
        private long found;

        OfClient(SqlStatement statement) {
            this.statement = statement;
        }

        @Override
        public boolean draw() {
            return true;
        }

        @Override
        public Ending execute() throws SQLException {
            if (counts()) {
                statement.query(first);
            } else {
                found = statement.query(all) == 0 ? 0 : table.rows();
            }
            return found == 0 ? Ending.MISS : Ending.OK;
        }

        @Override
        public long rows() {
            return found;
        }
    }

    /** The nodes of a plan in one line, outermost first. */
    static final class PlanShape {
        /** Matches the plan's first line or the line of a lower node, but not a Citus task. */
        private static final Pattern NODE = Pattern.compile("^(?:\\s*->\\s*)?([A-Z].*?)(?: (?:on|using) .*)?$");

        private PlanShape() {}

        static String of(Connection connection, String sql) throws SQLException {
            StringJoiner shape = new StringJoiner(" < ");
            try (Statement statement = connection.createStatement();
                    ResultSet lines = statement.executeQuery("explain (costs off) " + sql)) {
                while (lines.next()) {
                    Matcher node = NODE.matcher(lines.getString(1));
                    if (node.matches() && !node.group(1).equals("Task")) {
                        shape.add(node.group(1));
                    }
                }
            }
            return shape.toString();
        }
    }

    /** The table to scan: the named one, or one in sysbench's format, created and filled if missing. */
    static final class ScanTable {
        static final String OWN = "pgstress_scan";

        static final Option<Integer> GROUPS = Option.of("groups", "N", Forms.integer(1, Integer.MAX_VALUE))
                .byDefault("100")
                .help(
                        Group.WORKLOAD,
                        "Distinct values of column k, which group_by groups by unless --group-by is given.");

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
}
