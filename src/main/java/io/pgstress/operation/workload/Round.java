package io.pgstress.operation.workload;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** The time until the tables are emptied; starts with the first draw. Thread-safe. */
final class Round {
    private final long nanos;
    private final AtomicLong start = new AtomicLong();

    /** @param length zero: it never ends */
    Round(Duration length) {
        this.nanos = length.toNanos();
    }

    boolean hasEnd() {
        return nanos > 0;
    }

    boolean isOver() {
        if (nanos == 0) {
            return false;
        }
        long now = System.nanoTime();
        long since = start.get();
        if (since == 0) {
            start.compareAndSet(0, now);
            return false;
        }
        return now - since >= nanos;
    }

    void again() {
        start.set(0);
    }
}
