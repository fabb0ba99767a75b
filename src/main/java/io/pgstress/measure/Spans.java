package io.pgstress.measure;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The longest of many spans of time, in the clock's nanoseconds or any other; thread-safe. */
public final class Spans {
    /** More are not kept: the shortest go. */
    static final int MAX_KEPT = 256;

    /** A span within the one before, or that ends so little after it, belongs to it. */
    private static final long SAME_NANOS = 5_000_000;

    private final List<Span> kept = new ArrayList<>();

    /** From a time to another. */
    public record Span(long from, long to) {
        long length() {
            return to - from;
        }

        private boolean holds(Span other) {
            return other.from >= from && other.to <= to + SAME_NANOS;
        }
    }

    /** Keeps a span if it is one of the longest and not a part of one that is kept. */
    public synchronized void add(long from, long to) {
        Span span = new Span(from, to);
        if (kept.stream().anyMatch(k -> k.holds(span))) {
            return;
        }
        if (kept.size() == MAX_KEPT) {
            Span shortest =
                    kept.stream().min(Comparator.comparingLong(Span::length)).orElseThrow();
            if (shortest.length() >= span.length()) {
                return;
            }
            kept.remove(shortest);
        }
        kept.add(span);
    }

    /** Those that are kept. */
    public synchronized List<Span> all() {
        return List.copyOf(kept);
    }

    /** Forgets all. */
    public synchronized void clear() {
        kept.clear();
    }
}
