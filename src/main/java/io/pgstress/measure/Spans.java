package io.pgstress.measure;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The longest of many time spans, in nanoseconds of any clock. Thread-safe. */
public final class Spans {
    /** Number of spans kept, the longest ones. */
    static final int MAX_KEPT = 256;

    /** A span that lies within the previous one, or ends at most this much later, is part of it. Nanoseconds. */
    private static final long SAME_NANOS = 5_000_000;

    private final List<Span> kept = new ArrayList<>();

    /** A time span, in nanoseconds. */
    public record Span(long from, long to) {
        long length() {
            return to - from;
        }

        private boolean holds(Span other) {
            return other.from >= from && other.to <= to + SAME_NANOS;
        }
    }

    /** Keeps a span if it is among the longest and not part of one already kept. */
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

    /** The spans kept. */
    public synchronized List<Span> all() {
        return List.copyOf(kept);
    }

    /** Forgets those that end by this time. */
    public synchronized void dropUntil(long time) {
        kept.removeIf(span -> span.to <= time);
    }
}
