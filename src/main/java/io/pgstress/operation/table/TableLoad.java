package io.pgstress.operation.table;

import io.pgstress.operation.ClientOperation;
import io.pgstress.operation.Operation;
import io.pgstress.operation.OperationProfile;
import io.pgstress.operation.OperationProfile.OperationTrait;
import io.pgstress.operation.OperationProfile.WhenUsedUp;
import io.pgstress.operation.OperationType;
import io.pgstress.operation.OperationType.Trait;
import io.pgstress.operation.TableCheck;
import io.pgstress.operation.WriteTallies;
import io.pgstress.plan.RunOptions;
import io.pgstress.plan.TableName;
import io.pgstress.plan.option.Forms;
import io.pgstress.plan.option.Group;
import io.pgstress.plan.option.Option;
import io.pgstress.plan.option.Options;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.target.dialect.Dialect;
import io.pgstress.target.dialect.TableStorage;
import io.pgstress.target.dialect.Tables.NodeBytes;
import io.pgstress.target.statement.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * {@code load}: fills tables in sysbench's format by parallel COPYs, once. The run ends with the last row, or with the
 * last index if indexes are created afterwards: the client with a table's last COPY creates them in the same operation.
 */
public final class TableLoad implements Operation {
    /** When indexes are created. */
    private enum IndexWhen {
        BEFORE,
        AFTER
    }

    private static final Option<Integer> COPY_ROWS = Option.of("copy-rows", "N", Forms.integer(1, Integer.MAX_VALUE))
            .byDefault("10000")
            .help(Group.WORKLOAD, "rows per COPY");

    private static final Option<IndexWhen> INDEX_WHEN = Option.of("index-when", "WHEN", Forms.choice(IndexWhen.class))
            .byDefault("before")
            .help(Group.WORKLOAD, "before or after the rows are loaded");

    public static final OperationType TYPE = OperationType.of(
                    "load", "loads sysbench's tables with parallel COPYs", TableLoad::new)
            .selfContained(name(1))
            .with(Trait.FINITE)
            .with(WorkloadOptions.withCreation(
                    WorkloadOptions.TABLES,
                    WorkloadOptions.TABLE_ROWS,
                    WorkloadOptions.ROW_BYTES,
                    WorkloadOptions.INDEXES,
                    COPY_ROWS,
                    INDEX_WHEN,
                    RunOptions.NO_RESET));

    private final Options options;
    private final int count;
    private final OperationType.Context context;
    /** The length of column c: sysbench's, unless the size of a row is requested. */
    private final int cGroups;

    private final LoadPlan plan;
    private final WriteTallies tallies;
    private final LongAdder inputBytes = new LongAdder();

    private TableLoad(OperationType.Context context) {
        this.options = context.options();
        this.tallies = new WriteTallies(context.get(RunOptions.TRANSACTION), options.get(COPY_ROWS));
        this.count = options.get(WorkloadOptions.TABLES);
        this.context = context;
        this.cGroups = options.isGiven(WorkloadOptions.ROW_BYTES)
                ? SysbenchRows.cGroups(options.get(WorkloadOptions.ROW_BYTES))
                : SysbenchRows.C_GROUPS;
        this.plan = new LoadPlan(
                count, GeneratedRows.copies(options.get(WorkloadOptions.TABLE_ROWS), options.get(COPY_ROWS)));
    }

    /** @param number the table, from 1 */
    private static String name(int number) {
        return "pgstress_load_" + number;
    }

    private List<String> tables() {
        return IntStream.rangeClosed(1, count).mapToObj(TableLoad::name).toList();
    }

    /** One COPY per table, followed by each table's indexes if they are created afterwards. */
    @Override
    public List<Sql> statements(int client) {
        List<Sql> statements = new ArrayList<>();
        for (int t = 1; t <= count; t++) {
            statements.add(new Sql(named("copy", t), "copy " + name(t) + " " + SysbenchRows.NAMES + " from stdin"));
        }
        for (int t = 1; t <= count; t++) {
            for (String sql : indexesAfter(t)) {
                statements.add(new Sql(named(sql.startsWith("alter") ? "primary_key" : "index_k", t), sql));
            }
        }
        return statements;
    }

    private String named(String name, int table) {
        return count == 1 ? name : name + "_" + table;
    }

    @Override
    public OperationProfile profile() {
        return OperationProfile.DEFAULT
                .claiming(TYPE.ownTable())
                .when(WhenUsedUp.CONTINUE)
                .with(OperationTrait.DEFINES_TABLES, !indexesAfter(1).isEmpty())
                .withRowBytes(GeneratedRows.rowBytes(options.get(WorkloadOptions.TABLE_ROWS), cGroups));
    }

    @Override
    public boolean changesInSetUp() {
        return true;
    }

    @Override
    public void setUp(Connection control) throws SQLException {
        OwnTables own = new OwnTables(control, context);
        for (int t = 1; t <= count; t++) {
            own.drop(name(t));
            boolean isNew = own.create(name(t), SysbenchRows.columns(cGroups), "id", t);
            if (isNew
                    && options.get(INDEX_WHEN) == IndexWhen.BEFORE
                    && options.get(WorkloadOptions.INDEXES) != WorkloadOptions.Indexes.NONE) {
                own.execute(indexes(t).toArray(String[]::new));
            }
        }
    }

    @Override
    public void rewind() {
        plan.again();
        tallies.reset();
        inputBytes.reset();
    }

    @Override
    public List<TableCheck> checks() {
        return TableCheck.of("load", this::check, tables(), tallies);
    }

    /** The statements that create a table's indexes after its rows are loaded. */
    private List<String> indexesAfter(int number) {
        return options.get(INDEX_WHEN) == IndexWhen.AFTER ? indexes(number) : List.of();
    }

    /** Constraints and indexes have names because Citus before 11.2 cannot create unnamed keys, or older versions indexes. */
    private List<String> indexes(int number) {
        String key = "alter table " + name(number) + " add constraint " + name(number) + "_pkey primary key (id)";
        return switch (options.get(WorkloadOptions.INDEXES)) {
            case NONE -> List.of();
            case PRIMARY -> List.of(key);
            case ALL -> List.of(key, "create index " + name(number) + "_k_idx on " + name(number) + " (k)");
        };
    }

    private List<Remark> check(Connection control) throws SQLException {
        List<Remark> found = new ArrayList<>();
        OwnTables own = new OwnTables(control, context);
        long there = 0;
        for (int t = 1; t <= count; t++) {
            there += own.number("select count(*) from " + name(t));
        }
        found.addAll(tallies.compare("rows of load, count(*)", there, TableStorage.unlogged(control, tables())));
        lacking(there).ifPresent(found::add);
        found.addAll(sizes(control, own, inputBytes.sum()));
        return found;
    }

    /** The tables' sizes, in total and per node, as a multiple of the input; empty if there was no input. */
    private List<Remark> sizes(Connection control, OwnTables own, long input) throws SQLException {
        if (input == 0) {
            return List.of();
        }
        Dialect dialect = context.dialect();
        long total = 0;
        long indexes = 0;
        Map<String, NodeBytes> nodes = new TreeMap<>();
        for (int t = 1; t <= count; t++) {
            TableName table = new TableName("", name(t));
            total += own.number(dialect.tables().totalBytes(table));
            indexes += own.number(dialect.tables().indexBytes(table));
            for (NodeBytes n : dialect.tables().bytesByNode(control, table)) {
                nodes.merge(
                        n.node(),
                        n,
                        (a, b) -> new NodeBytes(a.node(), a.table() + b.table(), a.indexes() + b.indexes()));
            }
        }
        List<Remark> found = new ArrayList<>();
        found.add(size("size", total - indexes, indexes, input));
        nodes.values().forEach(n -> found.add(size("on " + n.node(), n.table(), n.indexes(), input)));
        return found;
    }

    private static Remark size(String where, long table, long indexes, long input) {
        return RemarkCode.TABLE_SIZES
                .with("where", where)
                .with("tablesMegabytes", table / 1e6)
                .with("indexesMegabytes", indexes / 1e6)
                .with("inputMegabytes", input / 1e6)
                .with("tablesRatio", (double) table / input)
                .with("ratio", (double) (table + indexes) / input)
                .remark();
    }

    /** What is missing; empty if nothing is. */
    private Optional<Remark> lacking(long there) {
        if (plan.missing() > 0) {
            return Optional.of(RemarkCode.COPIES_MISSING
                    .with("missing", plan.missing())
                    .with("copies", plan.all())
                    .with("failed", positive(plan.missing() - plan.unbegun()))
                    .with("unbegun", positive(plan.unbegun()))
                    .remark());
        }
        long rows = (long) count * options.get(WorkloadOptions.TABLE_ROWS);
        if (there < rows) {
            return Optional.of(RemarkCode.LOAD_ROWS_MISSING
                    .with("missing", rows - there)
                    .with("rows", rows)
                    .remark());
        }
        int unindexed = indexesAfter(1).isEmpty() ? 0 : plan.unindexed();
        return unindexed == 0
                ? Optional.empty()
                : Optional.of(RemarkCode.INDEXES_MISSING
                        .with("missing", unindexed)
                        .with("tables", count)
                        .remark());
    }

    private static @Nullable Long positive(long number) {
        return number > 0 ? Long.valueOf(number) : null;
    }

    @Override
    public ClientOperation forClient(ClientSeat seat) {
        GeneratedRows rows = new GeneratedRows(
                options.get(WorkloadOptions.TABLE_ROWS), options.get(COPY_ROWS), seat.random(), cGroups);
        return new LoadClient(plan, rows, seat.statements(statements(0).size()), tallies.forClient(), inputBytes);
    }
}
