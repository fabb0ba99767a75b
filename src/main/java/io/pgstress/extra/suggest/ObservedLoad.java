package io.pgstress.extra.suggest;

import io.pgstress.extra.Untranslatable;
import io.pgstress.extra.suggest.Profile.ProfileEntry;
import java.util.LinkedHashMap;
import java.util.Map;

/** The operations on one collection, by shape. Not thread-safe. */
final class ObservedLoad {
    /** An operation that was not translated, without its values. */
    record Lost(String reason, String command) {}

    private final Map<Shape, Usage> shapes = new LinkedHashMap<>();
    private final Map<Lost, Usage> lost = new LinkedHashMap<>();
    private String from = "";
    private String to = "";
    private int entries;
    private int fetches;

    void add(ProfileEntry entry) {
        entries++;
        from = from.isEmpty() || entry.time().compareTo(from) < 0 ? entry.time() : from;
        to = entry.time().compareTo(to) > 0 ? entry.time() : to;
        if (entry.op().equals("getmore") || entry.command().containsKey("getMore")) {
            fetches++;
            return;
        }
        try {
            Shape shape = ShapeReader.read(entry.op(), entry.command(), entry.rows());
            shapes.computeIfAbsent(shape, s -> new Usage()).add(entry);
        } catch (Untranslatable e) {
            lost.computeIfAbsent(new Lost(e.reason(), Redaction.of(entry.command())), k -> new Usage())
                    .add(entry);
        }
    }

    /** Adds an operation that an index suggests. */
    void guess(Shape shape) {
        shapes.putIfAbsent(shape, Usage.guess());
    }

    /** Adds an index that suggests no operation. */
    void lose(Lost index) {
        lost.putIfAbsent(index, Usage.guess());
    }

    /** In the order in which they were first seen. */
    Map<Shape, Usage> shapes() {
        return shapes;
    }

    /** In the order in which they were first seen. */
    Map<Lost, Usage> lost() {
        return lost;
    }

    /** The profiler's entries; 0: the shapes are guesses. */
    int entries() {
        return entries;
    }

    /** Entries that fetched further rows of a query. */
    int fetches() {
        return fetches;
    }

    /** The time of the first entry, ISO 8601; empty if unknown. */
    String from() {
        return from;
    }

    /** The time of the last entry, ISO 8601; empty if unknown. */
    String to() {
        return to;
    }

    /** The duration of the fastest operation in milliseconds. */
    int fastestMillis() {
        return shapes.values().stream().mapToInt(Usage::fastest).min().orElse(0);
    }
}
