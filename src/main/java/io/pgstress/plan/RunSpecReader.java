package io.pgstress.plan;

import io.pgstress.plan.custom.CustomOperation;
import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.plan.option.Problems;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Makes a {@link RunSpec} of options given as text, or tells all that is wrong with them at once. */
public final class RunSpecReader {
    /** pgjdbc's names of {@code preferQueryMode}. */
    private static final List<String> QUERY_MODES =
            List.of("", "simple", "extended", "extendedForPrepared", "extendedCacheEverything");

    /** Whole numbers beyond are not the same any more to many readers of JSON (RFC 8259, 6). */
    public static final long MAX_SEED = (1L << 53) - 1;

    /** Longer than what ends by itself takes. */
    private static final String UNTIL_DONE = "1000h";

    /** What a problem's place begins with there. */
    private static final String COMMAND_LINE = "--";

    private final List<String> operations;
    private final List<String> pools;
    private final List<String> targets;
    private final Set<String> withoutTable;
    private final Set<String> thatEnd;
    private final OptionEffect effect;

    /** @param operations, pools, targets the names that are registered */
    public RunSpecReader(List<String> operations, List<String> pools, List<String> targets) {
        this(operations, pools, targets, Set.of(), Set.of());
    }

    /**
     * @param withoutTable the operations that have tables of their own, so that none need be named
     * @param thatEnd the operations that are done at some time
     */
    public RunSpecReader(
            List<String> operations,
            List<String> pools,
            List<String> targets,
            Set<String> withoutTable,
            Set<String> thatEnd) {
        this(operations, pools, targets, withoutTable, thatEnd, Map.of());
    }

    /** @param byOption the operations on which an option has an effect; options without an entry have one on all */
    public RunSpecReader(
            List<String> operations,
            List<String> pools,
            List<String> targets,
            Set<String> withoutTable,
            Set<String> thatEnd,
            Map<String, Set<String>> byOption) {
        this.effect = new OptionEffect(byOption);
        this.withoutTable = Set.copyOf(withoutTable);
        this.thatEnd = Set.copyOf(thatEnd);
        this.operations = List.copyOf(operations);
        this.pools = List.copyOf(pools);
        this.targets = List.copyOf(targets);
    }

    /**
     * Reads the options of a run.
     *
     * @param asked the options that were given, by long name
     * @param where what a problem's place begins with: {@code --} on the command line, {@code runs[2].} in a scenario
     * @throws InvalidPlanException with every problem
     */
    public RunSpec read(Map<String, List<String>> asked, String where) {
        Problems problems = new Problems();
        Map<String, List<String>> given = untilDone(asked);
        OptionValues v = new OptionValues(RunOptions.ALL, given, where, problems);
        List<CustomOperation> own = MixReader.userOperations(v, operations);
        List<Endpoint> endpoints = EndpointReader.read(v);
        RunSpec spec = new RunSpec(
                endpoints,
                v.choice("target", targets),
                table(v),
                MixReader.mix(v, operations, own),
                v.choice("statement", StatementMode.class),
                v.choice("query-mode", QUERY_MODES),
                new PoolSpec(v.choice("pool", pools), v.integer("pool-size", 0, LoadReader.MOST_CLIENTS)),
                LoadReader.load(v, endpoints),
                LoadReader.phases(v),
                operation(v, own),
                v.choice("client-threads", ClientThreads.class),
                failures(v),
                v.whole("seed", -MAX_SEED, MAX_SEED),
                v.pairs("set"),
                Map.copyOf(v.all()));
        OptionConflicts.check(spec, v, withoutTable(own));
        if (where.equals(COMMAND_LINE)) {
            effect.without(spec, asked.keySet()).forEach((name, what) -> v.problem(name, what));
        }
        problems.throwIfAny();
        return spec;
    }

    /** By name, the options among these that have no effect on the operations of a run, and why. */
    public Map<String, String> withoutEffect(RunSpec spec, Set<String> given) {
        return effect.without(spec, given);
    }

    /** A run of an operation that ends lasts until then, and has no warm-up, unless something else was asked for. */
    private Map<String, List<String>> untilDone(Map<String, List<String>> asked) {
        if (!endsByItself(asked)) {
            return asked;
        }
        Map<String, List<String>> given = new LinkedHashMap<>(asked);
        if (!asked.containsKey("step")) { // whose rates have their time
            given.putIfAbsent("duration", List.of(UNTIL_DONE));
        }
        given.putIfAbsent("warmup", List.of("0"));
        return given;
    }

    private Set<String> withoutTable(List<CustomOperation> own) {
        Set<String> all = new HashSet<>(withoutTable);
        own.stream().filter(o -> !o.needsTable()).map(CustomOperation::name).forEach(all::add);
        return all;
    }

    /** Whether an operation of these options is done at some time. */
    public boolean endsByItself(Map<String, List<String>> asked) {
        return asked.getOrDefault("op", List.of()).stream()
                .flatMap(mix -> MixReader.names(mix).stream())
                .anyMatch(thatEnd::contains);
    }

    private static TableName table(OptionValues v) {
        String text = v.text("table");
        return text.isEmpty() ? new TableName("", "?") : TableName.parse(text);
    }

    private static OperationOptions operation(OptionValues v, List<CustomOperation> own) {
        return new OperationOptions(
                v.integer("batch", 1, 32_000),
                v.integer("limit-min", 1, Integer.MAX_VALUE),
                v.integer("limit-max", 1, Integer.MAX_VALUE),
                v.flag("order-by-id"),
                !v.flag("no-reset"),
                v.integer("fetch-size", 0, Integer.MAX_VALUE),
                v.flag("transaction"),
                v.choice("key-distribution", KeyDistribution.class),
                v.integer("key-sample", 1, 200_000_000),
                idSlice(v),
                WorkloadReader.read(v),
                own.stream()
                        .filter(o -> MixReader.names(v.text("op")).contains(o.name()))
                        .toList());
    }

    private static IdSlice idSlice(OptionValues v) {
        try {
            return IdSlice.parse(v.text("id-slice"));
        } catch (IllegalArgumentException e) {
            v.problem("id-slice", String.valueOf(e.getMessage()));
            return IdSlice.ALL;
        }
    }

    private static FailurePolicy failures(OptionValues v) {
        return new FailurePolicy(
                v.integer("max-tries", 1, 1000),
                v.choice("on-error", List.of("continue", "stop")).equals("stop"),
                v.share("max-error-rate"),
                v.duration("statement-timeout"),
                v.duration("latency-limit"));
    }
}
