package io.pgstress.operation.workload;

import io.pgstress.operation.ClientOperation;
import io.pgstress.operation.Ending;
import io.pgstress.operation.Operation;
import io.pgstress.operation.OperationProfile;
import io.pgstress.operation.OperationType;
import io.pgstress.operation.OperationType.Trait;
import io.pgstress.operation.PostRunCheck;
import io.pgstress.operation.TableCheck;
import io.pgstress.plan.option.Forms;
import io.pgstress.plan.option.Group;
import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.plan.option.Option;
import io.pgstress.plan.sql.SqlParts;
import io.pgstress.target.driver.ServerErrors;
import io.pgstress.target.statement.Sql;
import io.pgstress.target.statement.SqlStatement;
import io.pgstress.target.statement.SqlStatement.RowReader;
import io.pgstress.target.statement.StatementProbe;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;

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
}
