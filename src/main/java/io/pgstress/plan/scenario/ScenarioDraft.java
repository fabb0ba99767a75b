package io.pgstress.plan.scenario;

import io.pgstress.plan.scenario.Scenario.Hooks;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A comparison as written in a file or on the command line, not yet checked. Immutable.
 *
 * @param file the file's name; an empty string: there is none
 * @param workloads, variants options by name
 * @param vary the values to combine, by option
 * @param keys other settings, by the names of {@link ComparisonOptions}
 * @param problems syntax problems
 */
public record ScenarioDraft(
        String file,
        String name,
        String description,
        Map<String, Value> base,
        Map<String, Layer> workloads,
        Map<String, Layer> variants,
        Map<String, List<Value>> vary,
        Map<String, Value> keys,
        Hooks hooks,
        List<Problem> problems) {
    public static final ScenarioDraft EMPTY =
            new ScenarioDraft("", "", "", Map.of(), Map.of(), Map.of(), Map.of(), Map.of(), Hooks.NONE, List.of());

    /**
     * A value as written.
     *
     * @param name where it is: {@code base.op}, or {@code --op} on the command line
     * @param line in the file; 0: on the command line
     */
    record Value(String name, List<String> texts, int line) {
        Value {
            texts = List.copyOf(texts);
        }

        Problem problem(String what) {
            return new Problem(line, name + ": " + what);
        }

        private static Value given(String option, List<String> texts) {
            return new Value("--" + option, texts, 0);
        }
    }

    /** The options of one workload or variant, and the line of its name. */
    record Layer(Map<String, Value> values, int line) {
        static final Layer NOTHING = new Layer(Map.of(), 0);
    }

    /**
     * What is wrong.
     *
     * @param line in the file; 0: on the command line, or {@link #IN_FILE}
     */
    record Problem(int line, String what) {
        /** The line of a problem that no line of the file causes. */
        static final int IN_FILE = -1;

        String text(String file) {
            if (line == 0 || file.isEmpty()) {
                return (line > 0 ? "line " + line + ": " : "") + what;
            }
            return file + (line > 0 ? ":" + line : "") + ": " + what;
        }
    }

    /**
     * A copy with what the command line says.
     *
     * @param options override those of the base
     * @param combined if any, take the place of the variants
     * @param settings override the keys
     */
    public ScenarioDraft with(
            Map<String, List<String>> options, Map<String, List<String>> combined, Map<String, List<String>> settings) {
        Map<String, Value> otherBase = new LinkedHashMap<>(base);
        options.forEach((option, texts) -> otherBase.put(option, Value.given(option, texts)));
        Map<String, List<Value>> otherVary = new LinkedHashMap<>();
        combined.forEach((option, texts) -> otherVary.put(
                option,
                texts.stream().map(text -> Value.given(option, List.of(text))).toList()));
        Map<String, Value> otherKeys = new LinkedHashMap<>(keys);
        settings.forEach((key, texts) -> otherKeys.put(key, Value.given(key, texts)));
        boolean varies = !combined.isEmpty();
        return new ScenarioDraft(
                file,
                name,
                description,
                otherBase,
                workloads,
                varies ? Map.of() : variants,
                varies ? otherVary : vary,
                otherKeys,
                hooks,
                problems);
    }
}
