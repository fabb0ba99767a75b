package io.pgstress.operation.bulk;

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
import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.plan.option.Options;
import io.pgstress.target.statement.Sql;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * {@code load}: fills tables in sysbench's format by parallel COPYs, once. The run ends with the last row, or with the
 * last index if indexes are created afterwards: the client with a table's last COPY creates them in the same operation.
 */
public final class TableLoad implements Operation {
    public static final OperationType TYPE = OperationType.of(
                    "load", "loads sysbench's tables with parallel COPYs", TableLoad::new)
            .selfContained(LoadTables.name(1))
            .with(Trait.FINITE, Trait.ONE_HOST)
            .with(WorkloadOptions.withCreation(
                    WorkloadOptions.TABLES,
                    WorkloadOptions.TABLE_ROWS,
                    WorkloadOptions.ROW_BYTES,
                    WorkloadOptions.INDEXES,
                    LoadOptions.COPY_ROWS,
                    LoadOptions.INDEX_WHEN,
                    LoadOptions.INPUT,
                    LoadOptions.INPUT_FORMAT,
                    LoadOptions.CSV_HEADER,
                    LoadOptions.CSV_DELIMITER,
                    LoadOptions.CSV_QUOTE,
                    RunOptions.NO_RESET));

    private final Options options;
    private final int count;
    private final LoadTables tables;
    /** One for each table, or one for all; empty: rows are generated. */
    private final List<RowFile> files;

    private final LoadPlan plan;
    private final WriteTallies tallies;
    private final LongAdder inputBytes = new LongAdder();

    private TableLoad(OperationType.Context context) {
        this.options = context.options();
        this.tallies = new WriteTallies(context.get(RunOptions.TRANSACTION));
        this.files = open(options);
        this.count = Math.max(files.size(), options.get(WorkloadOptions.TABLES));
        this.tables = new LoadTables(context, count);
        this.plan = new LoadPlan(IntStream.range(0, count).map(this::copies).toArray());
    }

    private static List<RowFile> open(Options options) {
        List<RowFile> files = new ArrayList<>();
        try {
            for (Path file : LoadOptions.files(options)) {
                files.add(new RowFile(file, RowFormat.of(file, options), options.get(LoadOptions.COPY_ROWS)));
            }
        } catch (InvalidPlanException e) {
            files.forEach(RowFile::close);
            throw e;
        }
        return List.copyOf(files);
    }

    private int copies(int table) {
        return files.isEmpty()
                ? GeneratedRows.copies(options.get(WorkloadOptions.TABLE_ROWS), options.get(LoadOptions.COPY_ROWS))
                : file(table).copies();
    }

    /** @param table from 0 */
    private RowFile file(int table) {
        return files.get(files.size() == 1 ? 0 : table);
    }

    /** One COPY per table, followed by each table's indexes if they are created afterwards. */
    @Override
    public List<Sql> statements(int client) {
        List<Sql> statements = new ArrayList<>();
        for (int t = 1; t <= count; t++) {
            String how = files.isEmpty() ? "" : file(t - 1).format().copyOptions();
            statements.add(new Sql(
                    named("copy", t), "copy " + LoadTables.name(t) + " " + SysbenchRows.NAMES + " from stdin" + how));
        }
        for (int t = 1; t <= count; t++) {
            for (String sql : tables.indexesAfter(t)) {
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
                .definingTables(!tables.indexesAfter(1).isEmpty())
                .withRowBytes(rowBytes());
    }

    private double rowBytes() {
        if (files.isEmpty()) {
            return GeneratedRows.rowBytes(options.get(WorkloadOptions.TABLE_ROWS), tables.cGroups());
        }
        double bytes = 0;
        double rows = 0;
        for (RowFile file : files) {
            bytes += file.size() - file.begin();
            rows += (file.size() - file.begin()) / file.meanRowBytes();
        }
        return bytes / rows;
    }

    @Override
    public long bytesToLoad() {
        return files.isEmpty()
                ? Math.round((double) count * options.get(WorkloadOptions.TABLE_ROWS) * rowBytes())
                : IntStream.range(0, count).mapToLong(t -> file(t).size()).sum();
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
        files.forEach(RowFile::close);
    }

    private List<PostRunCheck> check(Connection control) throws SQLException {
        List<PostRunCheck> found = new ArrayList<>();
        long[] rows = tables.count(control);
        long there = LongStream.of(rows).sum();
        found.add(tallies.compare("rows of load, count(*)", there, options.get(LoadOptions.COPY_ROWS)));
        String lacking = lacking(there);
        if (!lacking.isEmpty()) {
            found.add(new PostRunCheck(false, "load is incomplete: " + lacking));
        }
        found.addAll(tables.sizes(control, inputBytes.sum()));
        for (int t = 0; t < count && files.size() > 1; t++) {
            found.add(new PostRunCheck(true, ofFile(t, rows[t])));
        }
        return found;
    }

    private String ofFile(int table, long rows) {
        return String.format(
                Locale.ROOT,
                "%s: %,d rows in %s from %,.1f MB",
                file(table).name(),
                rows,
                LoadTables.name(table + 1),
                file(table).size() / 1e6);
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
        long rows = files.isEmpty() ? (long) count * options.get(WorkloadOptions.TABLE_ROWS) : 0;
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
                : String.format(Locale.ROOT, "%,d of %,d tables lack indexes because of errors", unindexed, count);
    }

    @Override
    public ClientOperation forClient(ClientSeat seat) {
        LoadRows rows = files.isEmpty()
                ? new GeneratedRows(
                        options.get(WorkloadOptions.TABLE_ROWS),
                        options.get(LoadOptions.COPY_ROWS),
                        seat.random(),
                        tables.cGroups())
                : new FileRows(files);
        return new LoadClient(
                plan,
                rows,
                seat.statements(statements(0).size()),
                count,
                tables.indexesAfter(1).size(),
                tallies.forClient(),
                inputBytes);
    }
}
