package io.pgstress.target.loop;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * How long threads of one loop waited: for their turn after their data had arrived, and for their messages to leave. Counted by powers of two. Written by the loop's
 * thread only; any thread may read.
 */
final class TurnWaits {
    /** A call that returns within this time did not wait. */
    private static final long AT_ONCE_NANOS = 10_000;

    private final AtomicLongArray byBits = new AtomicLongArray(Long.SIZE);
    private long lookedAt = System.nanoTime();
    private long cameAt = lookedAt;

    /** Called when the loop polls. What it finds at once has arrived since the last poll, on average halfway. */
    void looks() {
        long now = System.nanoTime();
        cameAt = lookedAt + (now - lookedAt) / 2;
        lookedAt = now;
    }

    /** Called when an idle loop has found something. If it waited, this has just arrived. */
    void found() {
        long now = System.nanoTime();
        if (now - lookedAt > AT_ONCE_NANOS) {
            cameAt = now;
        }
        lookedAt = now;
    }

    /** Called when a thread found by the last poll continues. */
    void goesOn() {
        count(System.nanoTime() - cameAt, 1);
    }

    /** Called when messages leave. The first one waited since then, and the others by as much less as they are evenly spread. */
    void leave(int messages, long first) {
        count((System.nanoTime() - first) * (messages + 1) / (2L * messages), messages);
    }

    private void count(long nanos, int times) {
        int bits = Long.SIZE - Long.numberOfLeadingZeros(Math.max(0, nanos));
        byBits.lazySet(bits, byBits.get(bits) + times);
    }

    /** Adds the counts: at index n the waits below 2^n nanoseconds and not below half of that. */
    void addTo(long[] sum) {
        for (int i = 0; i < sum.length; i++) {
            sum[i] += byBits.get(i);
        }
    }
}
