package io.pgstress.plan.scenario;

import io.pgstress.plan.RunSpec;
import io.pgstress.plan.RunSpecReader;
import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.plan.option.Nearest;
import io.pgstress.plan.scenario.Scenario.Variant;
import io.pgstress.plan.scenario.Scenario.Workload;
import io.pgstress.plan.scenario.ScenarioDraft.Options;
import io.pgstress.plan.scenario.ScenarioDraft.Value;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Makes a {@link Scenario} of a draft, or tells all that is wrong with it at once. Thread-safe. */
public final class ScenarioExpansion {
    /** What a block is unless the scenario says so: long enough for a percentile, short enough for many rounds. */
    private static final Map<String, Value> DEFAULTS = Map.of(
            "duration", Value.of("5s"),
            "warmup", Value.of("1s"),
            "warmup-executions", Value.of("6"), // the driver's and the server's plans are settled by then
            "warmup-limit", Value.of("10s"),
            "interval", Value.of("500ms"));

    /** A block of what ends by itself is all of it, and all of it counts. */
    private static final Map<String, Value> OF_WHAT_ENDS = Map.of("interval", Value.of("500ms"));

    /** What must be alike for all blocks of a comparison. */
    private static final Set<String> ALIKE = Set.of(
            "duration", "warmup", "warmup-limit", "warmup-executions", "interval", "drain", "seed", "step", "ramp");

    private static final int MOST_VARIANTS = 100;

    private final RunSpecReader reader;

    public ScenarioExpansion(RunSpecReader reader) {
        this.reader = reader;
    }

    /**
     * Checks and expands a draft.
     *
     * @throws InvalidPlanException with every problem
     */
    public Scenario expand(ScenarioDraft draft) {
        Set<String> problems = new LinkedHashSet<>();
        ScenarioKeys keys = new ScenarioKeys(draft.keys(), problems);
        Map<String, Options> variants = variants(draft, problems);
        String baseline = keys.baseline();
        if (!baseline.isEmpty() && !variants.containsKey(baseline)) {
            keys.problem(
                    "baseline",
                    "'" + baseline + "' is no variant" + Nearest.hint(baseline, new TreeSet<>(variants.keySet())));
        }
        Effort effort = keys.effort();
        List<Limit> limits = keys.limits();
        List<Workload> workloads = workloads(draft, variants, problems);
        checkServers(workloads, variants, problems);
        List<String> all = ScenarioProblems.byLine(draft.problems(), problems);
        if (!all.isEmpty()) {
            throw new InvalidPlanException(all);
        }
        String first = baseline.isEmpty() ? variants.keySet().iterator().next() : baseline;
        return new Scenario(
                draft.name(),
                draft.description(),
                workloads.stream().map(w -> baselineFirst(w, first)).toList(),
                first,
                draft.hooks(),
                effort,
                limits);
    }

    private static Map<String, Options> variants(ScenarioDraft draft, Set<String> problems) {
        if (!draft.vary().isEmpty() && !draft.variants().isEmpty()) {
            problems.add("vary: either variants or vary, not both");
        }
        Map<String, Options> variants =
                draft.variants().isEmpty() ? Matrix.combinations(draft.vary()) : draft.variants();
        if (variants.size() > MOST_VARIANTS) {
            problems.add("vary: makes " + variants.size() + " variants, more than " + MOST_VARIANTS);
            return Map.of("base", new Options(Map.of(), 0));
        }
        variants.forEach((name, options) -> options.values().forEach((option, value) -> {
            if (ALIKE.contains(option)) {
                problems.add((value.line() > 0 ? "line " + value.line() + ": " : "--") + option
                        + ": must be the same for all variants; set it in the base");
            }
        }));
        return variants;
    }

    private List<Workload> workloads(ScenarioDraft draft, Map<String, Options> variants, Set<String> problems) {
        Map<String, Options> named =
                draft.workloads().isEmpty() ? Map.of("", new Options(Map.of(), 0)) : draft.workloads();
        List<Workload> workloads = new ArrayList<>();
        Map<String, String> withoutEffect = new LinkedHashMap<>();
        Set<String> withEffect = new HashSet<>();
        for (Map.Entry<String, Options> workload : named.entrySet()) {
            List<Variant> specs = new ArrayList<>();
            variants.forEach((name, options) -> {
                LayeredOptions layers = new LayeredOptions();
                layers.add("base.", draft.base());
                layers.add(
                        "workloads." + workload.getKey() + ".",
                        workload.getValue().values());
                String where = draft.variants().isEmpty() ? "vary." : "variants." + name + ".";
                if (isWithoutPool(options)) {
                    layers.drop("pool-size"); // the base's is for the variants that have a pool
                }
                layers.add(where, options.values());
                layers.addWhereMissing(defaults(layers.values()));
                RunSpec spec = read(layers, options.line() > 0 ? "base." : "--", problems);
                if (spec != null) {
                    specs.add(new Variant(name, spec));
                    Set<String> given = layers.values().keySet();
                    Map<String, String> without = reader.withoutEffect(spec, given);
                    without.forEach((option, why) -> withoutEffect.put(option, layers.origin(option, "") + ": " + why));
                    given.stream()
                            .filter(option -> !without.containsKey(option))
                            .forEach(withEffect::add);
                }
            });
            workloads.add(new Workload(workload.getKey(), specs));
        }
        // an option of the base may be for some of the variants only
        withoutEffect.keySet().removeAll(withEffect);
        problems.addAll(withoutEffect.values());
        return workloads;
    }

    /** But for those that would be of no effect beside what was asked for. */
    private Map<String, Value> defaults(Map<String, List<String>> asked) {
        if (reader.endsByItself(asked)) {
            return OF_WHAT_ENDS;
        }
        Map<String, Value> defaults = new LinkedHashMap<>(DEFAULTS);
        if (asked.containsKey("step")) {
            defaults.remove("duration");
        }
        boolean isAuto = asked.getOrDefault("warmup", List.of()).contains("auto");
        if (!isAuto && asked.getOrDefault("warmup-executions", List.of()).contains("0")) {
            defaults.remove("warmup-limit");
        }
        return defaults;
    }

    /** All variants name servers or none does: which server was meant by none, beside others, cannot be told. */
    private static void checkServers(List<Workload> workloads, Map<String, Options> variants, Set<String> problems) {
        List<Variant> all =
                workloads.stream().flatMap(w -> w.variants().stream()).toList();
        if (all.stream().allMatch(v -> v.spec().endpoints().isEmpty())) {
            return;
        }
        for (Variant variant : all) {
            if (variant.spec().endpoints().isEmpty()) {
                int line = variants.getOrDefault(variant.name(), new Options(Map.of(), 0))
                        .line();
                problems.add((line > 0 ? "line " + line + ": variants." : "--vary: ") + variant.name()
                        + ": has no url, and others have: name its server too");
            }
        }
    }

    private static boolean isWithoutPool(Options variant) {
        Value pool = variant.values().get("pool");
        return pool != null && pool.texts().equals(List.of("none"));
    }

    private @org.jspecify.annotations.Nullable RunSpec read(LayeredOptions layers, String where, Set<String> problems) {
        try {
            return reader.read(layers.forRun(), "");
        } catch (InvalidPlanException e) {
            for (String problem : e.problems()) {
                int colon = problem.indexOf(": ");
                problems.add(layers.origin(problem.substring(0, colon), where) + problem.substring(colon));
            }
        } catch (IllegalArgumentException e) {
            problems.add(layers.origin(LayeredOptions.SERVERS, where) + ": " + e.getMessage());
        }
        return null;
    }

    private static Workload baselineFirst(Workload workload, String baseline) {
        Map<String, Variant> byName = new LinkedHashMap<>();
        workload.variants().stream().filter(v -> v.name().equals(baseline)).forEach(v -> byName.put(v.name(), v));
        workload.variants().forEach(v -> byName.putIfAbsent(v.name(), v));
        return new Workload(workload.name(), List.copyOf(byName.values()));
    }
}
