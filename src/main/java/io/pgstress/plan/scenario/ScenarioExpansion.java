package io.pgstress.plan.scenario;

import io.pgstress.plan.Purpose;
import io.pgstress.plan.RunSpec;
import io.pgstress.plan.RunSpecReader;
import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.plan.option.Nearest;
import io.pgstress.plan.option.Option;
import io.pgstress.plan.option.Problems;
import io.pgstress.plan.scenario.Scenario.Variant;
import io.pgstress.plan.scenario.Scenario.Workload;
import io.pgstress.plan.scenario.ScenarioDraft.Options;
import io.pgstress.plan.scenario.ScenarioDraft.Value;
import io.pgstress.plan.server.ServerOptions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Creates a {@link Scenario} from a draft, or reports all problems at once. Thread-safe. */
public final class ScenarioExpansion {
    /** Options that must be the same for all blocks of a comparison. */
    private static final Set<String> ALIKE = Set.of(
            "duration",
            "warmup",
            "warmup-limit",
            "warmup-executions",
            "interval",
            "drain",
            "seed",
            "step",
            "ramp",
            ServerOptions.PASSWORD_COMMAND_NAME); // its text may be a secret, and values are names of variants

    private static final int MAX_VARIANTS = 100;

    private final RunSpecReader reader;

    public ScenarioExpansion(RunSpecReader reader) {
        this.reader = reader;
    }

    /** Whether variants can differ in this option. */
    public static boolean canVary(String option) {
        return !ALIKE.contains(option);
    }

    /**
     * Checks and expands a draft.
     *
     * @throws InvalidPlanException with every problem
     */
    public Scenario expand(ScenarioDraft draft) {
        Set<String> problems = new LinkedHashSet<>();
        io.pgstress.plan.option.Options keys = keys(draft, problems);
        Map<String, Options> variants = variants(draft, problems);
        String baseline = keys.get(ComparisonOptions.BASELINE).orElse("");
        if (!baseline.isEmpty() && !variants.containsKey(baseline)) {
            problems.add(place(draft, ComparisonOptions.BASELINE.name()) + ": '" + baseline + "' is not a variant"
                    + Nearest.hint(baseline, new TreeSet<>(variants.keySet())));
        }
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
                ComparisonOptions.effort(keys),
                keys.get(ComparisonOptions.FAIL_IF));
    }

    private static io.pgstress.plan.option.Options keys(ScenarioDraft draft, Set<String> problems) {
        Map<String, List<String>> given = new LinkedHashMap<>();
        draft.keys().forEach((name, value) -> given.put(name, value.texts()));
        Problems found = new Problems();
        io.pgstress.plan.option.Options keys =
                io.pgstress.plan.option.Options.read(ComparisonOptions.OF_SCENARIO, given, Map.of(), found);
        found.list().forEach(p -> problems.add(place(draft, p.option()) + ": " + p.what()));
        return keys;
    }

    /** Where a key was set: a line of the file, or the command line. */
    private static String place(ScenarioDraft draft, String option) {
        Value value = draft.keys().get(option);
        return value != null && value.line() > 0
                ? "line " + value.line() + ": " + ComparisonOptions.keyOf(option)
                : "--" + option;
    }

    private static Map<String, Options> variants(ScenarioDraft draft, Set<String> problems) {
        if (!draft.vary().isEmpty() && !draft.variants().isEmpty()) {
            problems.add("vary: either variants or vary, not both");
        }
        Map<String, Options> variants =
                draft.variants().isEmpty() ? Matrix.combinations(draft.vary()) : draft.variants();
        if (variants.size() > MAX_VARIANTS) {
            problems.add("vary: makes " + variants.size() + " variants, more than " + MAX_VARIANTS);
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
                LayeredOptions layers = new LayeredOptions(reader.options(Purpose.BLOCK));
                layers.add("base.", draft.base());
                layers.add(
                        "workloads." + workload.getKey() + ".",
                        workload.getValue().values());
                String where = draft.variants().isEmpty() ? "vary." : "variants." + name + ".";
                if (isWithoutPool(options)) {
                    layers.drop("pool-size"); // the base's value is for variants that have a pool
                }
                layers.add(where, options.values());
                RunSpec spec = read(layers, options.line() > 0 ? "base." : "--", problems);
                if (spec != null) {
                    specs.add(new Variant(name, spec));
                    Map<Option<?>, String> without = reader.withoutEffect(spec);
                    without.forEach((option, why) ->
                            withoutEffect.put(option.name(), layers.origin(option.name(), "") + ": " + why));
                    spec.options().given().stream()
                            .filter(option -> !without.containsKey(option))
                            .forEach(option -> withEffect.add(option.name()));
                }
            });
            workloads.add(new Workload(workload.getKey(), specs));
        }
        // an option of the base may apply to some variants only
        withoutEffect.keySet().removeAll(withEffect);
        problems.addAll(withoutEffect.values());
        return workloads;
    }

    /** Either all variants name servers or none does. Otherwise, the servers of a variant without them would be unclear. */
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

    private @Nullable RunSpec read(LayeredOptions layers, String where, Set<String> problems) {
        try {
            Problems found = new Problems();
            RunSpec spec = reader.readWithUnused(layers.forRun(), Purpose.BLOCK, found);
            for (Problems.Problem problem : found.list()) {
                problems.add(
                        problem.option().isEmpty()
                                ? problem.what()
                                : layers.origin(problem.option(), where) + ": " + problem.what());
            }
            return found.isEmpty() ? spec : null;
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
