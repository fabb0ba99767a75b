package io.pgstress.plan.scenario;

import io.pgstress.plan.option.Option;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A comparison as written in a file or on the command line, not yet checked. Immutable.
 *
 * @param workloads, variants options by name
 * @param vary the values to combine, by option
 * @param keys other settings, by the names of {@link ComparisonOptions}
 * @param problems syntax problems, each with its line
 */
public record ScenarioDraft(
        String name,
        String description,
        Map<String, Value> base,
        Map<String, Options> workloads,
        Map<String, Options> variants,
        Map<String, List<Value>> vary,
        Map<String, Value> keys,
        Hooks hooks,
        List<String> problems) {
    /** An empty draft. */
    public static final ScenarioDraft EMPTY =
            new ScenarioDraft("", "", Map.of(), Map.of(), Map.of(), Map.of(), Map.of(), Hooks.NONE, List.of());

    /**
     * The value of one name as written.
     *
     * @param line in the file; 0: on the command line
     */
    public record Value(List<String> texts, int line) {
        public Value {
            texts = List.copyOf(texts);
        }

        /** A value given on the command line. */
        public static Value of(String... texts) {
            return new Value(List.of(texts), 0);
        }
    }

    /** The options of one workload or variant, and the line of its name. */
    public record Options(Map<String, Value> values, int line) {}

    /** A copy in which options of the command line override those of the base. */
    public ScenarioDraft withBase(Map<String, List<String>> given) {
        Map<String, Value> all = new LinkedHashMap<>(base);
        given.forEach((option, texts) -> all.put(option, new Value(texts, 0)));
        return new ScenarioDraft(name, description, all, workloads, variants, vary, keys, hooks, problems);
    }

    /**
     * A copy with file names resolved against this directory.
     *
     * @param known all options of runs
     */
    public ScenarioDraft withFilesFrom(Path directory, List<Option<?>> known) {
        Set<String> files =
                known.stream().filter(Option::isFile).map(Option::name).collect(Collectors.toSet());
        Map<String, List<Value>> combined = new LinkedHashMap<>();
        vary.forEach((option, values) -> combined.put(
                option,
                values.stream().map(v -> from(directory, files, option, v)).toList()));
        return new ScenarioDraft(
                name,
                description,
                from(directory, files, base),
                all(directory, files, workloads),
                all(directory, files, variants),
                combined,
                keys,
                hooks,
                problems);
    }

    private static Map<String, Options> all(Path directory, Set<String> files, Map<String, Options> named) {
        Map<String, Options> all = new LinkedHashMap<>();
        named.forEach((name, options) ->
                all.put(name, new Options(from(directory, files, options.values()), options.line())));
        return all;
    }

    private static Map<String, Value> from(Path directory, Set<String> files, Map<String, Value> options) {
        Map<String, Value> all = new LinkedHashMap<>();
        options.forEach((option, value) -> all.put(option, from(directory, files, option, value)));
        return all;
    }

    private static Value from(Path directory, Set<String> files, String option, Value value) {
        return files.contains(option)
                ? new Value(
                        value.texts().stream()
                                .map(text -> text.isEmpty()
                                        ? text
                                        : directory.resolve(text).normalize().toString())
                                .toList(),
                        value.line())
                : value;
    }

    /** A copy with these values to combine instead of its variants; unchanged if there are none. */
    public ScenarioDraft withVary(Map<String, List<Value>> given) {
        return given.isEmpty()
                ? this
                : new ScenarioDraft(name, description, base, workloads, Map.of(), given, keys, hooks, problems);
    }

    /** A copy in which keys of the command line override those of the file. */
    public ScenarioDraft withKeys(Map<String, List<String>> given) {
        Map<String, Value> all = new LinkedHashMap<>(keys);
        given.forEach((key, texts) -> all.put(key, new Value(texts, 0)));
        return new ScenarioDraft(name, description, base, workloads, variants, vary, all, hooks, problems);
    }
}
