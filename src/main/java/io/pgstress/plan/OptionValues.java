package io.pgstress.plan;

import io.pgstress.plan.option.Durations;
import io.pgstress.plan.option.Nearest;
import io.pgstress.plan.option.Option;
import io.pgstress.plan.option.Problems;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The values of all options as text, read as what they are; what is wrong goes to {@link Problems}. Not thread-safe. */
final class OptionValues {
    private final Map<String, List<String>> values = new LinkedHashMap<>();
    private final Set<String> given;
    private final Problems problems;
    private final String where;

    /** Takes what was given, adds the defaults and notes unknown names. */
    OptionValues(List<Option> known, Map<String, List<String>> given, String where, Problems problems) {
        this.given = Set.copyOf(given.keySet());
        this.problems = problems;
        this.where = where;
        known.forEach(o -> values.put(o.name(), given.getOrDefault(o.name(), o.defaults())));
        for (String name : given.keySet()) {
            if (!values.containsKey(name)) {
                problem(name, "is no option" + Nearest.hint(name, new TreeSet<>(values.keySet())));
            }
        }
    }

    Map<String, List<String>> all() {
        return values;
    }

    /** Whether it was asked for, and is not the default. */
    boolean isGiven(String name) {
        return given.contains(name);
    }

    void problem(String name, String what) {
        problems.add(where + name, what);
    }

    List<String> list(String name) {
        List<String> list = values.get(name);
        if (list == null) {
            throw new IllegalArgumentException("no such option: " + name);
        }
        return list;
    }

    String text(String name) {
        List<String> list = list(name);
        return list.isEmpty() ? "" : list.get(list.size() - 1).trim();
    }

    boolean flag(String name) {
        String text = text(name);
        if (!text.equals("true") && !text.equals("false")) {
            problem(name, "must be true or false, was '" + text + "'");
        }
        return text.equals("true");
    }

    int integer(String name, int min, int max) {
        return (int) whole(name, min, max);
    }

    long whole(String name, long min, long max) {
        String text = text(name).replace("_", "");
        try {
            long value = Long.parseLong(text);
            if (value >= min && value <= max) {
                return value;
            }
            problem(
                    name,
                    value < min
                            ? "must be at least " + min + ", was " + value
                            : "must be at most " + max + ", was " + value);
        } catch (NumberFormatException e) {
            problem(name, "must be a whole number, was '" + text + "'");
        }
        return min;
    }

    Duration duration(String name) {
        try {
            return Durations.parse(text(name));
        } catch (IllegalArgumentException e) {
            problem(name, String.valueOf(e.getMessage()));
            return Duration.ZERO;
        }
    }

    Duration positiveDuration(String name) {
        Duration duration = duration(name);
        if (duration.isZero() && problems.isEmpty()) {
            problem(name, "must be longer than 0");
        }
        return duration;
    }

    /** {@code 1%} or {@code 0.01}. */
    double share(String name) {
        String text = text(name);
        try {
            double share = text.endsWith("%")
                    ? Double.parseDouble(text.substring(0, text.length() - 1)) / 100
                    : Double.parseDouble(text);
            if (share >= 0 && share <= 1) {
                return share;
            }
        } catch (NumberFormatException e) {
            // told below, with the values out of range
        }
        problem(name, "must be a share such as 1% or 0.01, was '" + text + "'");
        return 1;
    }

    /** {@code NAME=VALUE}, as often as it is given. */
    Map<String, String> pairs(String option) {
        Map<String, String> pairs = new LinkedHashMap<>();
        for (String text : list(option)) {
            int equals = text.indexOf('=');
            if (equals < 1) {
                problem(option, "must be NAME=VALUE, was '" + text + "'");
            } else {
                pairs.put(
                        text.substring(0, equals).trim(),
                        text.substring(equals + 1).trim());
            }
        }
        return pairs;
    }

    <E extends Enum<E>> E choice(String name, Class<E> type) {
        String text = text(name);
        E[] constants = type.getEnumConstants();
        for (E constant : constants) {
            if (constant.name().equalsIgnoreCase(text)) {
                return constant;
            }
        }
        List<String> names = Arrays.stream(constants)
                .map(c -> c.name().toLowerCase(Locale.ROOT))
                .collect(Collectors.toList());
        unknown(name, text, names);
        return constants[0];
    }

    String choice(String name, List<String> names) {
        String text = text(name);
        if (!names.contains(text)) {
            unknown(name, text, names);
        }
        return text;
    }

    private void unknown(String name, String text, List<String> names) {
        problem(
                name,
                "must be one of " + String.join(", ", names) + ", was '" + text + "'" + Nearest.hint(text, names));
    }
}
