package io.pgstress.plan.scenario;

import io.pgstress.plan.Purpose;
import io.pgstress.plan.RunOptions;
import io.pgstress.plan.RunSpec;
import io.pgstress.plan.RunSpecReader;
import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.plan.option.Nearest;
import io.pgstress.plan.option.Option;
import io.pgstress.plan.option.Options;
import io.pgstress.plan.option.Problems;
import io.pgstress.plan.scenario.Scenario.Variant;
import io.pgstress.plan.scenario.Scenario.Workload;
import io.pgstress.plan.scenario.ScenarioDraft.Layer;
import io.pgstress.plan.scenario.ScenarioDraft.Problem;
import io.pgstress.plan.scenario.ScenarioDraft.Value;
import io.pgstress.plan.server.ServerOptions;
import io.pgstress.plan.server.ServerRequest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
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
    private final Purpose purpose;

    /** @param purpose of the blocks, such as {@link Purpose#BLOCK} */
    public ScenarioExpansion(RunSpecReader reader, Purpose purpose) {
        this.reader = reader;
        this.purpose = purpose;
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
        Set<Problem> problems = new LinkedHashSet<>();
        Options keys = keys(draft, problems);
        Map<String, Layer> variants = variants(draft, problems);
        String baseline = keys.get(ComparisonOptions.BASELINE).orElse("");
        if (!baseline.isEmpty() && !variants.containsKey(baseline)) {
            problems.add(key(draft, ComparisonOptions.BASELINE.name())
                    .problem("'" + baseline + "' is not a variant"
                            + Nearest.hint(baseline, new TreeSet<>(variants.keySet()))));
        }
        List<Workload> workloads = workloads(draft, variants, problems);
        checkServers(workloads, variants, problems);
        boolean areServersCompared = areServersCompared(workloads);
        boolean areAllRead = workloads.stream().allMatch(w -> w.variants().size() == variants.size());
        if (keys.isGiven(ComparisonOptions.CLUSTERS) && areAllRead && !areServersCompared) {
            problems.add(key(draft, ComparisonOptions.CLUSTERS.name())
                    .problem("is for variants on servers that are started for them, such as --vary server=17,18"));
        }
        throwIfAny(draft, problems);
        String first = baseline.isEmpty() ? variants.keySet().iterator().next() : baseline;
        return new Scenario(
                draft.name(),
                draft.description(),
                workloads.stream().map(w -> baselineFirst(w, first)).toList(),
                first,
                draft.hooks(),
                ComparisonOptions.effort(keys, areServersCompared),
                keys.get(ComparisonOptions.FAIL_IF));
    }

    /**
     * Reports all problems in the order of the lines; those of the command line, which have no line, come first. If a line has a
     * syntax problem, its other problems are only consequences and are not reported.
     */
    private static void throwIfAny(ScenarioDraft draft, Set<Problem> problems) {
        Set<Integer> unread = draft.problems().stream().map(Problem::line).collect(Collectors.toSet());
        List<Problem> all = new ArrayList<>(draft.problems());
        problems.stream().filter(p -> !unread.contains(p.line())).forEach(all::add);
        if (!all.isEmpty()) {
            throw new InvalidPlanException(all.stream()
                    .sorted(Comparator.comparingInt(p -> Math.max(0, p.line())))
                    .map(p -> p.text(draft.file()))
                    .toList());
        }
    }

    private static Options keys(ScenarioDraft draft, Set<Problem> problems) {
        Map<String, List<String>> given = new LinkedHashMap<>();
        draft.keys().forEach((name, value) -> given.put(name, value.texts()));
        Problems found = new Problems();
        Options keys = Options.read(ComparisonOptions.OF_SCENARIO, given, Map.of(), found);
        found.list().forEach(p -> problems.add(key(draft, p.option()).problem(p.what())));
        return keys;
    }

    private static Value key(ScenarioDraft draft, String name) {
        return draft.keys().getOrDefault(name, new Value("--" + name, List.of(), 0));
    }

    private static Map<String, Layer> variants(ScenarioDraft draft, Set<Problem> problems) {
        if (!draft.vary().isEmpty() && !draft.variants().isEmpty()) {
            problems.add(new Problem(0, "vary: either variants or vary, not both"));
        }
        Map<String, Layer> variants = draft.variants().isEmpty() ? combinations(draft.vary()) : draft.variants();
        if (variants.size() > MAX_VARIANTS) {
            problems.add(new Problem(0, "vary: makes " + variants.size() + " variants, more than " + MAX_VARIANTS));
            return Map.of("base", Layer.NOTHING);
        }
        variants.values()
                .forEach(layer -> layer.values().forEach((option, value) -> {
                    if (ALIKE.contains(option)) {
                        problems.add(value.problem("must be the same for all variants; set it in the base"));
                    }
                }));
        return variants;
    }

    private List<Workload> workloads(ScenarioDraft draft, Map<String, Layer> variants, Set<Problem> problems) {
        Map<String, Layer> named = draft.workloads().isEmpty() ? Map.of("", Layer.NOTHING) : draft.workloads();
        List<Workload> workloads = new ArrayList<>();
        Map<String, Problem> withoutEffect = new LinkedHashMap<>();
        Set<String> withEffect = new HashSet<>();
        named.forEach((workload, ofWorkload) -> {
            List<Variant> specs = new ArrayList<>();
            variants.forEach((name, ofVariant) -> {
                LayeredOptions layers =
                        new LayeredOptions(reader.options(purpose), ofVariant.line() > 0 ? "base." : "--");
                layers.add(draft.base());
                layers.add(ofWorkload.values());
                if (isWithoutPool(ofVariant)) {
                    layers.drop("pool-size"); // the base's value is for variants that have a pool
                }
                layers.add(ofVariant.values());
                RunSpec spec = read(layers, problems);
                if (spec != null) {
                    specs.add(new Variant(name, spec));
                    Map<Option<?>, String> without = reader.withoutEffect(spec);
                    without.forEach(
                            (option, why) -> withoutEffect.put(option.name(), layers.problem(option.name(), why)));
                    spec.options().given().stream()
                            .filter(option -> !without.containsKey(option))
                            .forEach(option -> withEffect.add(option.name()));
                }
            });
            workloads.add(new Workload(workload, specs));
        });
        // an option of the base may apply to some variants only
        withoutEffect.keySet().removeAll(withEffect);
        problems.addAll(withoutEffect.values());
        return workloads;
    }

    /** Either all variants have servers or none does. Otherwise, the servers of a variant without them would be unclear. */
    private static void checkServers(List<Workload> workloads, Map<String, Layer> variants, Set<Problem> problems) {
        List<Variant> all =
                workloads.stream().flatMap(w -> w.variants().stream()).toList();
        if (all.stream().noneMatch(ScenarioExpansion::hasServer)) {
            return;
        }
        for (Variant variant : all) {
            if (!hasServer(variant)) {
                int line = variants.getOrDefault(variant.name(), Layer.NOTHING).line();
                problems.add(new Problem(
                        line,
                        (line > 0 ? "variants." : "--vary: ") + variant.name()
                                + ": has no url or server, and others have: name its server too"));
            }
        }
    }

    /** Whether variants differ in the server that is started for them. */
    private static boolean areServersCompared(List<Workload> workloads) {
        return workloads.stream()
                        .flatMap(w -> w.variants().stream())
                        .allMatch(v -> !v.spec().server().isEmbedded()
                                && v.spec().endpoints().isEmpty())
                && workloads.stream()
                        .anyMatch(w -> w.variants().stream()
                                        .map(v -> v.spec().server())
                                        .distinct()
                                        .count()
                                > 1);
    }

    private static boolean hasServer(Variant variant) {
        return !variant.spec().endpoints().isEmpty() || !variant.spec().server().isEmbedded();
    }

    private static boolean isWithoutPool(Layer variant) {
        Value pool = variant.values().get("pool");
        return pool != null && pool.texts().equals(List.of("none"));
    }

    private @Nullable RunSpec read(LayeredOptions layers, Set<Problem> problems) {
        try {
            Problems found = new Problems();
            RunSpec spec = reader.readWithUnused(layers.forRun(), purpose, found);
            for (Problems.Problem problem : found.list()) {
                problems.add(
                        problem.option().isEmpty()
                                ? new Problem(0, problem.what())
                                : layers.problem(problem.option(), problem.what()));
            }
            return found.isEmpty() ? spec : null;
        } catch (IllegalArgumentException e) {
            problems.add(layers.problem(LayeredOptions.SERVERS, String.valueOf(e.getMessage())));
        }
        return null;
    }

    private static Workload baselineFirst(Workload workload, String baseline) {
        Map<String, Variant> byName = new LinkedHashMap<>();
        workload.variants().stream().filter(v -> v.name().equals(baseline)).forEach(v -> byName.put(v.name(), v));
        workload.variants().forEach(v -> byName.putIfAbsent(v.name(), v));
        return new Workload(workload.name(), List.copyOf(byName.values()));
    }

    /**
     * All combinations of the values of several options, by name; the last option changes fastest. If one option varies, the name is
     * its value; if several do, it is {@code statement=plain pool=c3p0}. Without options there is one combination, {@code base}.
     */
    private static Map<String, Layer> combinations(Map<String, List<Value>> vary) {
        Map<String, Layer> combinations = new LinkedHashMap<>();
        combinations.put("", Layer.NOTHING);
        for (Map.Entry<String, List<Value>> dimension : vary.entrySet()) {
            Map<String, Layer> longer = new LinkedHashMap<>();
            combinations.forEach((name, layer) -> {
                for (int i = 0; i < dimension.getValue().size(); i++) {
                    Value value = onOwnServer(dimension.getKey(), dimension.getValue(), i);
                    Map<String, Value> values = new LinkedHashMap<>(layer.values());
                    values.put(dimension.getKey(), value);
                    String label = label(dimension.getKey(), value, i, vary.size() > 1);
                    longer.put(unused(longer, (name + " " + label).trim()), new Layer(values, value.line()));
                }
            });
            combinations = longer;
        }
        return vary.isEmpty() ? Map.of("base", Layer.NOTHING) : combinations;
    }

    /** The value; of a server, a repeated one means another server of the same build. */
    private static Value onOwnServer(String option, List<Value> values, int index) {
        Value value = values.get(index);
        long earlier = values.subList(0, index).stream()
                .filter(other -> other.texts().equals(value.texts()))
                .count();
        return earlier == 0 || !option.equals(RunOptions.START_SERVER.name())
                ? value
                : new Value(
                        value.name(),
                        List.of(ServerRequest.again(value.texts().get(0), (int) earlier + 1)),
                        value.line());
    }

    private static String label(String option, Value value, int index, boolean isNamed) {
        if (option.equals("url")) {
            return "url " + (index + 1); // it may contain a password
        }
        String text = String.join(",", value.texts());
        String shown = text.isEmpty() ? "default" : text;
        return isNamed && !option.equals("set") ? option + "=" + shown : shown;
    }

    /** A name not used yet. If a value occurs twice, it is compared with itself. */
    private static String unused(Map<String, Layer> taken, String name) {
        String free = name;
        for (int i = 2; taken.containsKey(free); i++) {
            free = name + " #" + i;
        }
        return free;
    }

    /** Options in several layers: later layers override earlier ones, and each option remembers its origin. Not thread-safe. */
    static final class LayeredOptions {
        /** The option whose values are merged by name instead of being replaced. */
        private static final String SETTINGS = "set";

        /** Selects the servers of {@code url} that a variant runs on. */
        static final String SERVERS = "servers";

        private final Map<String, List<String>> values = new LinkedHashMap<>();
        private final Map<String, Value> origins = new LinkedHashMap<>();

        private final Set<String> repeating;
        private final String unset;

        /**
         * @param known all options of a run
         * @param unset the beginning of the name of an option that no layer has
         */
        LayeredOptions(List<Option<?>> known, String unset) {
            repeating = known.stream().filter(Option::repeats).map(Option::name).collect(Collectors.toSet());
            this.unset = unset;
        }

        void add(Map<String, Value> layer) {
            layer.forEach((option, value) -> {
                values.put(option, option.equals(SETTINGS) ? settings(value.texts()) : texts(option, value));
                origins.put(option, value);
            });
        }

        /** Removes an option from the layers added so far. */
        void drop(String option) {
            values.remove(option);
            origins.remove(option);
        }

        /** If the option takes a single value, a list becomes its short form, such as {@code find_first:3,find_update:1}. */
        private List<String> texts(String option, Value value) {
            return !repeating.contains(option)
                            && !option.equals(SERVERS)
                            && value.texts().size() > 1
                    ? List.of(String.join(",", value.texts()))
                    : value.texts();
        }

        private List<String> settings(List<String> added) {
            Map<String, String> byName = new LinkedHashMap<>();
            for (List<String> layer : List.of(values.getOrDefault(SETTINGS, List.of()), added)) {
                layer.forEach(text -> byName.put(text.replaceFirst("=.*", "").trim(), text));
            }
            return new ArrayList<>(byName.values());
        }

        /** The options of a run, with {@code servers} applied to {@code url}. */
        Map<String, List<String>> forRun() {
            Map<String, List<String>> run = new LinkedHashMap<>(values);
            List<String> servers = run.remove(SERVERS);
            List<String> urls = values.getOrDefault("url", List.of());
            if (servers != null) {
                run.put("url", chosen(servers, urls));
            }
            return run;
        }

        /** Servers by number, from 1: {@code 1}, {@code 2-5}, {@code 2-}, {@code all}; several parts are separated by commas. */
        private static List<String> chosen(List<String> servers, List<String> urls) {
            if (urls.isEmpty()) {
                throw new IllegalArgumentException("selects servers, but no --url is given; give one for each server");
            }
            List<String> chosen = new ArrayList<>();
            for (String part : String.join(",", servers).split(",", -1)) {
                if (part.trim().equals("all")) {
                    chosen.addAll(urls);
                    continue;
                }
                String[] ends = part.trim().split("-", 2);
                int from = number(ends[0], part, urls.size());
                int to = ends.length == 1 ? from : ends[1].isEmpty() ? urls.size() : number(ends[1], part, urls.size());
                for (int i = from; i <= to; i++) {
                    chosen.add(urls.get(i - 1));
                }
            }
            return chosen;
        }

        private static int number(String text, String part, int most) {
            int number;
            try {
                number = Integer.parseInt(text.trim());
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException(
                        "must be numbers of servers such as 1, 2-5, 2- or all, was '" + part.trim() + "'", e);
            }
            if (number < 1 || number > most) {
                throw new IllegalArgumentException("names server " + number + ", but " + most + " url "
                        + (most == 1 ? "is" : "are") + " given (--url, once for each server)");
            }
            return number;
        }

        /** A problem at the place where the option was set. */
        Problem problem(String option, String what) {
            Value origin = origins.get(option);
            return origin != null
                    ? origin.problem(what)
                    : new Problem(unset.equals("--") ? 0 : Problem.IN_FILE, unset + option + ": " + what);
        }
    }
}
