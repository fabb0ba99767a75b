package io.pgstress.operation.load;

import io.pgstress.operation.ClientOperation;
import io.pgstress.operation.Operation;
import io.pgstress.operation.OperationProfile;
import io.pgstress.operation.OperationProfile.WhenUsedUp;
import io.pgstress.operation.OperationType;
import io.pgstress.operation.OperationType.Trait;
import io.pgstress.operation.PostRunCheck;
import io.pgstress.operation.TableCheck;
import io.pgstress.operation.WriteTallies;
import io.pgstress.operation.workload.SysbenchRows;
import io.pgstress.operation.workload.WorkloadOptions;
import io.pgstress.plan.RunOptions;
import io.pgstress.plan.option.Forms;
import io.pgstress.plan.option.Group;
import io.pgstress.plan.option.Option;
import io.pgstress.plan.option.Options;
import io.pgstress.target.statement.Sql;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * {@code load}: fills tables in sysbench's format by parallel COPYs, once. The run ends with the last row, or with the
 * last index if indexes are created afterwards: the client with a table's last COPY creates them in the same operation.
 */
public final class TableLoad implements Operation {
    /** When indexes are created. */
    enum IndexWhen {
        BEFORE,
        AFTER
    }

    static final Option<Integer> COPY_ROWS = Option.of("copy-rows", "N", Forms.integer(1, Integer.MAX_VALUE))
            .byDefault("10000")
            .help(Group.WORKLOAD, "Rows per COPY.");

    static final Option<IndexWhen> INDEX_WHEN = Option.of("index-when", "WHEN", Forms.choice(IndexWhen.class))
            .byDefault("before")
            .help(Group.WORKLOAD, "before: indexes exist while rows are loaded; after: they are created at the end.");

    /** The file of rows; empty: rows are generated. */
    public static final Option<Optional<Path>> INPUT = Option.optional("input", "FILE", Forms::readable)
            .help(Group.WORKLOAD, "File of rows in COPY's text format, instead of generated rows.");

    public static final OperationType TYPE = OperationType.of(
                    "load", "loads sysbench's tables with parallel COPYs", TableLoad::new)
            .selfContained(LoadTables.name(1))
            .with(Trait.FINITE, Trait.ONE_HOST)
            .with(WorkloadOptions.withCreation(
                    WorkloadOptions.TABLES,
                    WorkloadOptions.TABLE_ROWS,
                    WorkloadOptions.ROW_BYTES,
                    WorkloadOptions.INDEXES,
                    COPY_ROWS,
                    INDEX_WHEN,
                    INPUT,
                    RunOptions.NO_RESET));

    private final Options options;
    private final LoadTables tables;
    private final @Nullable RowFile file;
    private final LoadPlan plan;
    private final WriteTallies tallies;
    private final LongAdder inputBytes = new LongAdder();

    private TableLoad(OperationType.Context context) {
        this.options = context.options();
        this.tallies = new WriteTallies(context.get(RunOptions.TRANSACTION));
        this.tables = new LoadTables(context);
        this.file = options.get(INPUT)
                .map(path -> new RowFile(path, options.get(COPY_ROWS)))
                .orElse(null);
        this.plan = new LoadPlan(
                options.get(WorkloadOptions.TABLES),
                file == null
                        ? GeneratedRows.copies(options.get(WorkloadOptions.TABLE_ROWS), options.get(COPY_ROWS))
                        : file.copies());
    }

    /** One COPY per table, followed by each table's indexes if they are created afterwards. */
    @Override
    public List<Sql> statements(int client) {
        List<Sql> statements = new ArrayList<>();
        for (int t = 1; t <= options.get(WorkloadOptions.TABLES); t++) {
            statements.add(
                    new Sql(named("copy", t), "copy " + LoadTables.name(t) + " " + SysbenchRows.NAMES + " from stdin"));
        }
        for (int t = 1; t <= options.get(WorkloadOptions.TABLES); t++) {
            for (String sql : tables.indexesAfter(t)) {
                statements.add(new Sql(named(sql.startsWith("alter") ? "primary_key" : "index_k", t), sql));
            }
        }
        return statements;
    }

    private String named(String name, int table) {
        return options.get(WorkloadOptions.TABLES) == 1 ? name : name + "_" + table;
    }

    @Override
    public OperationProfile profile() {
        return OperationProfile.DEFAULT
                .claiming(TYPE.ownTable())
                .when(WhenUsedUp.CONTINUE)
                .definingTables(!tables.indexesAfter(1).isEmpty())
                .withRowBytes(rowBytes());
    }

    private double rowBytes() {
        return file == null
                ? GeneratedRows.rowBytes(options.get(WorkloadOptions.TABLE_ROWS), tables.cGroups())
                : file.meanRowBytes();
    }

    @Override
    public void setUp(Connection control) throws SQLException {
        tables.make(control);
    }

    @Override
    public void rewind() {
        plan.again();
        tallies.reset();
        inputBytes.reset();
    }

    @Override
    public List<TableCheck> checks() {
        return TableCheck.of(this::check, tallies);
    }

    @Override
    public void close() {
        if (file != null) {
            file.close();
        }
    }

    private List<PostRunCheck> check(Connection control) throws SQLException {
        List<PostRunCheck> found = new ArrayList<>();
        long there = tables.count(control);
        found.add(tallies.compare("rows of load, count(*)", there, options.get(COPY_ROWS)));
        String lacking = lacking(there);
        if (!lacking.isEmpty()) {
            found.add(new PostRunCheck(false, "load is incomplete: " + lacking));
        }
        found.addAll(tables.sizes(control, inputBytes.sum()));
        return found;
    }

    /** Describes what is missing; empty if nothing is. */
    private String lacking(long there) {
        if (plan.missing() > 0) {
            return String.format(
                    Locale.ROOT,
                    "%,d of %,d COPYs are missing, because --duration ended or because of errors",
                    plan.missing(),
                    plan.all());
        }
        long rows =
                file == null ? (long) options.get(WorkloadOptions.TABLES) * options.get(WorkloadOptions.TABLE_ROWS) : 0;
        if (there < rows) {
            return String.format(
                    Locale.ROOT,
                    "the server discarded %,d of %,d rows without an error (a trigger?)",
                    rows - there,
                    rows);
        }
        int unindexed = tables.indexesAfter(1).isEmpty() ? 0 : plan.unindexed();
        return unindexed == 0
                ? ""
                : String.format(
                        Locale.ROOT,
                        "%,d of %,d tables lack indexes because of errors",
                        unindexed,
                        options.get(WorkloadOptions.TABLES));
    }

    @Override
    public ClientOperation forClient(ClientSeat seat) {
        LoadRows rows = file == null
                ? new GeneratedRows(
                        options.get(WorkloadOptions.TABLE_ROWS),
                        options.get(COPY_ROWS),
                        seat.random(),
                        tables.cGroups())
                : file.rows();
        return new LoadClient(
                plan,
                rows,
                seat.statements(statements(0).size()),
                options.get(WorkloadOptions.TABLES),
                tables.indexesAfter(1).size(),
                tallies.forClient(),
                inputBytes);
    }
}
