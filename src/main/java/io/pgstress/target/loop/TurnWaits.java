package io.pgstress.target.loop;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * How long threads of one loop waited for their turn once what they waited for had come, counted by powers of two. One writer, the
 * loop's thread; any may read.
 */
final class TurnWaits {
    /** A call that returns within this did not wait. */
    private static final long AT_ONCE_NANOS = 10_000;

    private final AtomicLongArray byBits = new AtomicLongArray(Long.SIZE);
    private long lookedAt = System.nanoTime();
    private long cameAt = lookedAt;

    /** The loop looks: what it finds at once came at some time since it looked last, taken as in the middle. */
    void looks() {
        long now = System.nanoTime();
        cameAt = lookedAt + (now - lookedAt) / 2;
        lookedAt = now;
    }

    /** The loop had nothing else to do, and found something; where it waited for that it has just come. */
    void found() {
        long now = System.nanoTime();
        if (now - lookedAt > AT_ONCE_NANOS) {
            cameAt = now;
        }
        lookedAt = now;
    }

    /** A thread goes on that the last look found. */
    void goesOn() {
        int bits = Long.SIZE - Long.numberOfLeadingZeros(Math.max(0, System.nanoTime() - cameAt));
        byBits.lazySet(bits, byBits.get(bits) + 1);
    }

    /** Adds the counts: at place n those of less than 2 to the power of n nanoseconds, and not less than half of that. */
    void addTo(long[] sum) {
        for (int i = 0; i < sum.length; i++) {
            sum[i] += byBits.get(i);
        }
    }
}
