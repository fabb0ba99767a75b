package io.pgstress.cli;

import io.pgstress.cli.CompareCommand.CompareBlocks;
import io.pgstress.compare.Comparer;
import io.pgstress.compare.Comparer.BlockRunner;
import io.pgstress.compare.Comparer.CompareListener;
import io.pgstress.compare.Comparer.Ended;
import io.pgstress.compare.ComparisonState;
import io.pgstress.extra.indexes.QueryIndex;
import io.pgstress.extra.suggest.Suggestion;
import io.pgstress.plan.Purpose;
import io.pgstress.plan.TableName;
import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.plan.scenario.Scenario;
import io.pgstress.plan.scenario.ScenarioExpansion;
import io.pgstress.plan.scenario.ScenarioReader;
import io.pgstress.result.Comparison;
import io.pgstress.result.Comparison.Block;
import io.pgstress.result.Comparison.Effect;
import io.pgstress.result.Comparison.Variant;
import io.pgstress.result.Latency;
import io.pgstress.result.Rehearsal.Layout;
import io.pgstress.result.Rehearsal.Layouts;
import io.pgstress.result.Rehearsal.TableBytes;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.RunResult;
import io.pgstress.session.CommandSession;
import io.pgstress.session.PreparedRun;
import io.pgstress.target.dialect.Dialect;
import io.pgstress.target.driver.ControlSql;
import io.pgstress.target.driver.SessionPurpose;
import io.pgstress.text.Json;
import io.pgstress.text.Records;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Compares how the documents of a rehearsal are stored: copies of its table in a schema of their own, each stored in another way, are the
 * variants of a scenario. Only ways that can matter to the operations are tried. Single use.
 */
final class LayoutComparison {
    /** The schema of the copies. */
    static final String SCHEMA = "stress_layouts";

    /** The statement that removes the copies. */
    static final String DROP = "drop schema " + SCHEMA + " cascade";

    private static final String AS_IMPORTED = "as imported";

    /** The fewest rounds after which a comparison has a verdict. */
    private static final int ROUNDS = 8;

    private static final String COULD_USE_LZ4 = "select 1 from pg_settings where name = 'default_toast_compression'"
            + " and setting <> 'lz4' and 'lz4' = any (enumvals)";

    /**
     * A way to store the documents.
     *
     * @param operations the operations file with the queries for it
     * @param isEarly whether a table is changed before it has rows
     * @param sql the statements that change a table
     */
    private record Way(String name, Path operations, boolean isEarly, Function<TableName, List<String>> sql) {
        static Way of(String name, Path operations, boolean isEarly, String sql) {
            return new Way(
                    name, operations, isEarly, table -> List.of(String.format(Locale.ROOT, sql, table.quoted())));
        }

        TableName copy() {
            return new TableName(SCHEMA, name.replace(' ', '_').toLowerCase(Locale.ROOT));
        }
    }

    private final PreparedRun imported;
    private final Path operations;
    private final List<Way> ways = new ArrayList<>();
    private final List<String> notTried = new ArrayList<>();
    private final Map<String, List<Map<String, Double>>> medians = new HashMap<>();

    /**
     * Chooses what to try, and writes the operations for it.
     *
     * @param imported the load on the imported table
     * @param operations the operations file
     * @param helpful the indexes that would help operations, by operation
     * @param updates whether operations update documents
     */
    LayoutComparison(
            PreparedRun imported, Path operations, Suggestion found, Map<String, QueryIndex> helpful, boolean updates)
            throws SQLException, IOException {
        this.imported = imported;
        this.operations = operations;
        Path contained = beside(".gin.yaml");
        Suggestion other = found.containing(helpful.keySet()).orElse(null);
        if (other != null) {
            Files.writeString(contained, other.yaml(contained.toString()), StandardCharsets.UTF_8);
        }
        add(true, new Way(AS_IMPORTED, operations, false, table -> List.of()));
        add(
                !helpful.isEmpty(),
                new Way(
                        "expression indexes",
                        operations,
                        false,
                        table -> helpful.values().stream()
                                .flatMap(index -> index.on(table).stream())
                                .distinct()
                                .toList()));
        add(other != null, Way.of("one GIN", contained, false, "create index on %s using gin (data jsonb_path_ops)"));
        add(canUseLz4(), Way.of("lz4", operations, true, "alter table %s alter column data set compression lz4"));
        add(updates, Way.of("fillfactor 85", operations, true, "alter table %s set (fillfactor = 85)"));
    }

    private void add(boolean canMatter, Way way) {
        if (canMatter) {
            ways.add(way);
        } else {
            notTried.add(way.name());
        }
    }

    private Path beside(String suffix) {
        return operations.resolveSibling(operations.getFileName() + suffix);
    }

    private Connection control() throws SQLException {
        return imported.target().first().connector().open(SessionPurpose.CONTROL);
    }

    /** Whether the server has lz4, does not use it anyway, and a document is long enough to be compressed. */
    private boolean canUseLz4() throws SQLException {
        String some =
                "select 1 from (select data from " + imported.table().name().quoted()
                        + " limit 10000) d where pg_column_compression(data) is not null or pg_column_size(data) > 2000";
        try (Connection control = control()) {
            return ControlSql.exists(control, COULD_USE_LZ4) && ControlSql.exists(control, some);
        }
    }

    /** @throws InvalidPlanException if the schema of the copies exists */
    static void requireNoSchema(Connection control) throws SQLException {
        if (ControlSql.exists(control, "select 1 from pg_namespace where nspname = '" + SCHEMA + "'")) {
            throw new InvalidPlanException("--layout: schema " + SCHEMA
                    + " exists, and the copies would be made there; if an earlier rehearsal that was killed left it, drop it with: "
                    + DROP);
        }
    }

    /** The size of a table. */
    static TableBytes size(Connection control, Dialect dialect, TableName table) throws SQLException {
        long heap = ControlSql.number(control, dialect.tables().heapBytes(table));
        long indexes = ControlSql.number(control, dialect.tables().indexBytes(table));
        long total = ControlSql.number(control, dialect.tables().totalBytes(table));
        return new TableBytes(heap, total - heap - indexes, indexes);
    }

    /** The scenario; JSON is YAML too. */
    private String scenario(String mix) throws SQLException {
        Map<String, Object> variants = new LinkedHashMap<>();
        ways.forEach(way -> variants.put(
                way.name(),
                Map.of(
                        "table", way.copy().written(),
                        "operations", way.operations().toString())));
        return Json.write(Map.of(
                "base",
                Map.of("op", mix),
                "variants",
                variants,
                "rounds",
                ROUNDS,
                "hooks",
                Map.of("setup", setup(), "teardown", List.of(DROP))));
    }

    private List<String> setup() throws SQLException {
        Dialect dialect = imported.target().dialect();
        TableName table = imported.table().name();
        List<String> setup = new ArrayList<>(List.of("create schema " + SCHEMA));
        try (Connection control = control()) {
            for (Way way : ways) {
                TableName copy = way.copy();
                setup.addAll(dialect.tables()
                        .createLike(copy, table, dialect.tables().storage(control, table)));
                List<String> change = way.sql().apply(copy);
                setup.addAll(way.isEarly() ? change : List.of());
                // a copied value stays compressed as it was, and a computed one is compressed as its column says
                setup.add("insert into " + copy.quoted() + " (_id, data) select _id, data || '{}' from "
                        + table.quoted());
                setup.addAll(way.isEarly() ? List.of() : change);
                setup.add("vacuum analyze " + copy.quoted());
            }
        }
        return setup;
    }

    /**
     * Compares them, and drops the copies.
     *
     * @param given the options of the runs
     * @param purpose of the blocks
     * @throws InterruptedException if a signal ended it
     */
    Layouts compare(
            CommandSession session,
            RunsLine runs,
            Map<String, List<String>> given,
            Purpose purpose,
            List<String> argv,
            Consumer<String> progress)
            throws SQLException, IOException, InterruptedException {
        List<Remark> findings = new ArrayList<>();
        if (!notTried.isEmpty()) {
            findings.add(RemarkCode.LAYOUTS_NOT_TRIED
                    .with("layouts", String.join(", ", notTried))
                    .remark());
        }
        if (ways.size() == 1) {
            return new Layouts(List.of(), findings, "", null);
        }
        Path file = beside(".layouts.yaml");
        Files.writeString(file, scenario(imported.spec().mixLabel()), StandardCharsets.UTF_8);
        Scenario scenario = new ScenarioExpansion(RunOptionsCommand.READER, purpose)
                .expand(ScenarioReader.read(file, RunOptionsCommand.READER.options(purpose))
                        .with(given, Map.of(), Map.of()));
        try (CompareBlocks blocks = new CompareBlocks(session, scenario, runs)) {
            Map<String, TableBytes> sizes = new HashMap<>();
            try (Connection control = control()) {
                for (Way way : ways) {
                    sizes.put(way.name(), size(control, imported.target().dialect(), way.copy()));
                }
            }
            Function<Scenario, Comparer> comparers = of ->
                    new Comparer(of, of.workloads().get(0), recorded(blocks), told(progress), null, System::nanoTime);
            Ended ended = comparers.apply(scenario).run(ComparisonState.none(SCHEMA));
            if (ended.failure() != null) {
                throw ended.failure();
            }
            if (!ended.isWhole()) {
                throw new InterruptedException("stopped");
            }
            Comparison found = comparers.apply(scenario).comparison(ended, argv);
            List<Layout> layouts =
                    ways.stream().map(way -> layout(way, sizes, found)).toList();
            findings.add(
                    0,
                    judged(
                            layouts,
                            found,
                            best -> comparers
                                    .apply(Records.with(scenario, "baseline", best))
                                    .comparison(ended, argv),
                            this::slowerWith));
            return new Layouts(layouts, findings, file.toString(), found);
        }
    }

    private static CompareListener told(Consumer<String> progress) {
        return new CompareListener() {
            @Override
            public void round(ComparisonState state, Supplier<List<Effect>> soFar) {
                progress.accept("round " + state.rounds() + " of " + ROUNDS);
            }
        };
    }

    private BlockRunner recorded(BlockRunner blocks) {
        return (variant, cluster) -> {
            RunResult result = blocks.run(variant, cluster);
            Map<String, Double> ofBlock = new HashMap<>();
            result.operations().forEach((operation, figures) -> {
                Latency times = figures.times();
                if (times != null) {
                    ofBlock.put(operation, times.p50());
                }
            });
            medians.computeIfAbsent(variant.name(), v -> new ArrayList<>()).add(ofBlock);
            return result;
        };
    }

    /** The operations whose median is greater than with the table as imported, in every round; the first block of a variant is none. */
    private List<String> slowerWith(String name) {
        List<Map<String, Double>> own = medians.getOrDefault(name, List.of());
        List<Map<String, Double>> others = medians.getOrDefault(AS_IMPORTED, List.of());
        return own.get(0).keySet().stream()
                .filter(operation -> IntStream.range(1, own.size())
                        .allMatch(round -> own.get(round).getOrDefault(operation, 0.0)
                                > others.get(round).getOrDefault(operation, Double.MAX_VALUE)))
                .sorted()
                .toList();
    }

    private Layout layout(Way way, Map<String, TableBytes> sizes, Comparison found) {
        Variant variant = found.variants().stream()
                .filter(each -> each.name().equals(way.name()))
                .findFirst()
                .orElseThrow();
        double[] p99 = found.blocks().stream()
                .filter(block -> block.variant().equals(way.name()))
                .mapToDouble(Block::p99Micros)
                .sorted()
                .toArray();
        return new Layout(
                way.name(),
                way.sql().apply(imported.table().name()),
                sizes.getOrDefault(way.name(), new TableBytes(0, 0, 0)),
                variant.opsPerSecond(),
                p99[0] == 0 ? null : Double.valueOf(p99[p99.length / 2]),
                variant.facts().get(Comparison.WAL_PER_OPERATION));
    }

    /**
     * The layout whose interval is above that of the table as imported, and those of all others.
     *
     * @param layouts the table as imported first
     * @param found compares them with it
     * @param against compares them with another one
     * @param slower the operations that are slower with a layout
     */
    static Remark judged(
            List<Layout> layouts,
            Comparison found,
            Function<String, Comparison> against,
            Function<String, List<String>> slower) {
        if (!found.valid()) {
            return RemarkCode.LAYOUTS_NOT_VALID.remark();
        }
        List<Effect> faster = effects(found, "faster");
        if (faster.isEmpty()) {
            return RemarkCode.LAYOUT_NOT_FASTER.remark();
        }
        Effect best = faster.get(0);
        Set<String> worse = effects(against.apply(best.variant()), "slower").stream()
                .map(Effect::variant)
                .collect(Collectors.toSet());
        List<String> tied = faster.stream()
                .map(Effect::variant)
                .filter(each -> !worse.contains(each))
                .toList();
        if (tied.size() > 1) {
            return RemarkCode.LAYOUTS_TIED
                    .with("layouts", String.join(", ", tied))
                    .remark();
        }
        Layout imported = layouts.get(0);
        Layout layout = layouts.stream()
                .filter(each -> each.name().equals(best.variant()))
                .findFirst()
                .orElseThrow();
        Double wal = layout.walBytesPerOperation();
        Double importedWal = imported.walBytesPerOperation();
        boolean isWritten = wal != null && importedWal != null && wal + importedWal >= 1;
        List<String> slow = slower.apply(best.variant());
        return RemarkCode.LAYOUT_FASTER
                .with("layout", layout.name())
                .with("ratio", best.ratio())
                .with("low", best.low())
                .with("high", best.high())
                .with("megabytes", layout.size().total() / 1e6)
                .with("importedMegabytes", imported.size().total() / 1e6)
                .with("walBytes", isWritten ? wal : null)
                .with("importedWalBytes", isWritten ? importedWal : null)
                .with("slower", slow.isEmpty() ? null : String.join(", ", slow))
                .with("sql", String.join("; ", layout.sql()))
                .remark();
    }

    /** The effects on the rate with this verdict, the greatest first. */
    private static List<Effect> effects(Comparison found, String verdict) {
        return found.effects().stream()
                .filter(each ->
                        each.metric().equals(found.primary()) && each.verdict().equals(verdict))
                .sorted(Comparator.comparingDouble(Effect::ratio).reversed())
                .toList();
    }
}
