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
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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

    /** All combinations of the values of several options. */
    static final class Matrix {
        private Matrix() {}

        /** The combination of no options. */
        private static final Options NOTHING = new Options(Map.of(), 0);

        /**
         * The combinations by name; the last option changes fastest. If one option varies, the name is its value; if several do, it
         * is {@code statement=plain pool=c3p0}. Without options there is one combination, {@code base}.
         */
        static Map<String, Options> combinations(Map<String, List<Value>> vary) {
            Map<String, Options> combinations = new LinkedHashMap<>();
            combinations.put("", NOTHING);
            for (Map.Entry<String, List<Value>> dimension : vary.entrySet()) {
                Map<String, Options> longer = new LinkedHashMap<>();
                combinations.forEach((name, options) -> {
                    for (int i = 0; i < dimension.getValue().size(); i++) {
                        Value value = dimension.getValue().get(i);
                        Map<String, Value> values = new LinkedHashMap<>(options.values());
                        values.put(dimension.getKey(), value);
                        String label = label(dimension.getKey(), value, i, vary.size() > 1);
                        longer.put(unused(longer, (name + " " + label).trim()), new Options(values, value.line()));
                    }
                });
                combinations = longer;
            }
            return vary.isEmpty() ? Map.of("base", NOTHING) : combinations;
        }

        private static String label(String option, Value value, int index, boolean isNamed) {
            if (option.equals("url")) {
                return "url " + (index + 1); // it may contain a password
            }
            List<String> texts = new ArrayList<>(value.texts());
            String text = texts.isEmpty() || texts.equals(List.of("")) ? "default" : String.join(",", texts);
            return isNamed && !option.equals("set") ? option + "=" + text : text;
        }

        /** A name not used yet. If a value occurs twice, it is compared with itself. */
        private static String unused(Map<String, Options> taken, String name) {
            String free = name;
            for (int i = 2; taken.containsKey(free); i++) {
                free = name + " #" + i;
            }
            return free;
        }
    }

    /** The problems of a scenario, in the order of its lines. */
    static final class ScenarioProblems {
        private static final Pattern LINE = Pattern.compile("line (\\d+): .*", Pattern.DOTALL);

        private ScenarioProblems() {}

        /**
         * Problems of both kinds. Those of the command line, which have no line, come first.
         *
         * @param ofForm syntax problems; other problems on the same lines are only consequences and are not reported
         * @param ofMeaning problems with the meaning
         */
        static List<String> byLine(Collection<String> ofForm, Collection<String> ofMeaning) {
            Set<Integer> unread = ofForm.stream().map(ScenarioProblems::line).collect(Collectors.toSet());
            List<String> all = new ArrayList<>(ofForm);
            ofMeaning.stream()
                    .filter(p -> line(p) == 0 || !unread.contains(line(p)))
                    .forEach(all::add);
            all.sort(Comparator.comparingInt(ScenarioProblems::line));
            return all;
        }

        private static int line(String problem) {
            Matcher line = LINE.matcher(problem);
            return line.matches() ? Integer.parseInt(line.group(1)) : 0;
        }
    }

    /** Options in several layers: later layers override earlier ones, and each option remembers its origin. Not thread-safe. */
    static final class LayeredOptions {
        /** The option whose values are merged by name instead of being replaced. */
        private static final String SETTINGS = "set";

        /** Selects the servers of {@code url} that a variant runs on. */
        static final String SERVERS = "servers";

        private final Map<String, List<String>> values = new LinkedHashMap<>();
        private final Map<String, String> origins = new LinkedHashMap<>();

        private final Set<String> repeating;

        /** @param known all options of a run */
        LayeredOptions(List<Option<?>> known) {
            repeating = known.stream().filter(Option::repeats).map(Option::name).collect(Collectors.toSet());
        }

        /** Adds a layer; the origin of its options begins with {@code name}, such as {@code base.}. */
        void add(String name, Map<String, Value> layer) {
            layer.forEach((option, value) -> {
                values.put(option, option.equals(SETTINGS) ? settings(value.texts()) : texts(option, value));
                origins.put(option, value.line() > 0 ? "line " + value.line() + ": " + name + option : "--" + option);
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

        /** Where the option was set; {@code otherwise} if it was not. */
        String origin(String option, String otherwise) {
            return origins.getOrDefault(option, otherwise + option);
        }
    }
}
