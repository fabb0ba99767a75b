package io.pgstress.extra.diff;

import java.util.concurrent.atomic.AtomicLong;

/** The memory that all {@link RowHashes} of a comparison may take together, counted in pairs. Thread-safe. */
final class PairMemory {
    /** One of so many bytes of the heap is for a pair of 16 bytes; sorting takes the same once more. */
    private static final int HEAP_BYTES_PER_PAIR = 128;

    private static final long MAX_PAIRS = 1 << 24;

    private final AtomicLong free;

    /** @param pairs the number of pairs */
    PairMemory(long pairs) {
        free = new AtomicLong(pairs);
    }

    /** An eighth of the heap, at most 256 MiB. */
    static PairMemory ofHeap() {
        return new PairMemory(Math.min(MAX_PAIRS, Runtime.getRuntime().maxMemory() / HEAP_BYTES_PER_PAIR));
    }

    /** Takes room for more pairs, if there is enough. */
    boolean take(int pairs) {
        long before = free.get();
        while (before >= pairs) {
            if (free.compareAndSet(before, before - pairs)) {
                return true;
            }
            before = free.get();
        }
        return false;
    }

    /** Gives room back. */
    void give(int pairs) {
        free.addAndGet(pairs);
    }
}
