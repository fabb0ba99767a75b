package io.pgstress.plan.custom;

import io.pgstress.plan.option.Nearest;
import io.pgstress.text.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The named values of a part of the file; records each problem with its line. Not thread-safe. */
final class Fields {
    private final Source source;
    private final Map<String, Tree.Entry> entries;
    private final List<String> problems;

    /** @param known the allowed names; empty: any name */
    Fields(Source source, Tree tree, List<String> known, List<String> problems) {
        this.source = source;
        this.problems = problems;
        if (tree instanceof Tree.Mapping mapping) {
            this.entries = mapping.entries();
        } else {
            this.entries = Map.of();
            problems.add(source.message("must be a mapping (name: value), but is " + tree.kind()));
        }
        entries.forEach((name, entry) -> {
            if (!known.isEmpty() && !known.contains(name)) {
                problem(
                        entry.place().line(),
                        "'" + name + "' is unknown here" + Nearest.hint(name, known) + " (known: "
                                + String.join(", ", known) + ")");
            }
        });
    }

    void problem(int line, String what) {
        problems.add(source.at(line).message(what));
    }

    Map<String, Tree.Entry> entries() {
        return entries;
    }

    boolean has(String name) {
        return entries.containsKey(name);
    }

    int line(String name) {
        Tree.Entry entry = entries.get(name);
        return entry == null ? source.line() : entry.place().line();
    }

    String text(String name, String otherwise) {
        Tree.Entry entry = entries.get(name);
        return entry == null ? otherwise : scalar(name, entry.value());
    }

    /** A required value. */
    String needed(String name) {
        String text = text(name, "").strip();
        if (text.isEmpty()) {
            problem(line(name), "'" + name + "' is missing");
        }
        return text;
    }

    private String scalar(String name, Tree tree) {
        if (tree instanceof Tree.Scalar scalar) {
            return scalar.text();
        }
        problem(tree.place().line(), "'" + name + "' must be a single value, but is " + tree.kind());
        return "";
    }

    /** One value or a list of them. */
    List<Tree.Scalar> list(String name) {
        Tree.Entry entry = entries.get(name);
        List<Tree.Scalar> list = new ArrayList<>();
        if (entry != null) {
            List<Tree> items = entry.value() instanceof Tree.Sequence s ? s.items() : List.of(entry.value());
            items.forEach(i -> list.add(new Tree.Scalar(scalar(name, i), i.place())));
        }
        return list;
    }

    boolean flag(String name) {
        return choice(name, List.of("false", "true")).equals("true");
    }

    /** One of these words; the first one if the value is missing. */
    String choice(String name, List<String> words) {
        String text = text(name, words.get(0)).toLowerCase(Locale.ROOT);
        if (!words.contains(text)) {
            problem(
                    line(name),
                    "'" + name + "' must be one of " + String.join(", ", words) + ", was '" + text + "'"
                            + Nearest.hint(text, words));
            return words.get(0);
        }
        return text;
    }

    /** The value, which must be an integer in this range. */
    long whole(String name, String text, long min, long max) {
        try {
            long value = Long.parseLong(text.strip().replace("_", ""));
            if (value >= min && value <= max) {
                return value;
            }
            problem(line(name), "'" + name + "' must be from " + min + " to " + max + ", was " + value);
        } catch (NumberFormatException e) {
            problem(line(name), "'" + name + "' must be a whole number, was '" + text + "'");
        }
        return min;
    }
}
