package io.pgstress.report.text;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Labeled statements in a report. A fact without a text is omitted. Not thread-safe. */
public final class Facts {
    /** A statement and its label. */
    public record Fact(String label, String text, Weight weight) {}

    /** When the console shows a fact, and how; files contain all facts. */
    public enum Weight {
        ERROR,
        NORMAL,
        /** Only with {@code --verbose}. */
        DETAIL
    }

    private final List<Fact> all = new ArrayList<>();

    Facts add(String label, @Nullable String text) {
        return add(label, text, Weight.NORMAL);
    }

    Facts detail(String label, @Nullable String text) {
        return add(label, text, Weight.DETAIL);
    }

    Facts add(String label, @Nullable String text, Weight weight) {
        if (text != null && !text.isEmpty()) {
            all.add(new Fact(label, text, weight));
        }
        return this;
    }

    List<Fact> all() {
        return all;
    }

    /** The parts of a text that are there, separated by commas. */
    static String list(@Nullable String... parts) {
        return Arrays.stream(parts)
                .filter(part -> part != null && !part.isEmpty())
                .collect(Collectors.joining(", "));
    }

    /** A label and a value, or an empty string if there is no value. */
    static String labeled(String label, @Nullable Object value) {
        return value == null ? "" : label + value;
    }
}
