package io.pgstress.report.live;

import io.pgstress.text.Printable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/** A line of fields that fits a width by omitting the least important fields. Not thread-safe. */
final class FittedLine {
    /** A field and the gap before it. */
    private record Field(int rank, String gap, String text) {}

    private final List<Field> fields = new ArrayList<>();

    /**
     * Appends a field.
     *
     * @param rank 0: never omitted; higher ranks are omitted first
     * @param text without surrounding spaces; empty for none
     */
    FittedLine add(int rank, String text) {
        return add(rank, " ", text);
    }

    /** Appends a field with a wider gap before it. */
    FittedLine addApart(int rank, String text) {
        return add(rank, "  ", text);
    }

    /** Appends a field with this gap before it. */
    FittedLine add(int rank, String gap, String text) {
        if (!text.isEmpty()) {
            fields.add(new Field(rank, gap, Printable.line(text)));
        }
        return this;
    }

    /** The line, at most {@code width} characters long if the fields of rank 0 fit. */
    String in(int width) {
        List<Field> kept = new ArrayList<>(fields);
        while (text(kept).length() > width && kept.stream().anyMatch(f -> f.rank > 0)) {
            kept.remove(kept.stream().max(Comparator.comparingInt(Field::rank)).orElseThrow());
        }
        return text(kept);
    }

    private static String text(List<Field> kept) {
        return kept.stream()
                .map(f -> f.gap + f.text)
                .collect(Collectors.joining())
                .strip();
    }
}
