package io.pgstress.plan.scenario;

import io.pgstress.plan.scenario.ScenarioDraft.Options;
import io.pgstress.plan.scenario.ScenarioDraft.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** All combinations of the values of several options. */
final class Matrix {
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
