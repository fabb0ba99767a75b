package io.pgstress.verdict;

import io.pgstress.measure.SuccessTimes;
import org.jspecify.annotations.Nullable;

/**
 * The cost of an outage, from the successes in each slot of {@value SuccessTimes#SLOT_MILLIS} ms before and after it. Times are
 * nanoseconds since the start of the load, pauses excluded. Immutable.
 */
final class Recovery {
    static final long NEVER = Long.MAX_VALUE;

    private static final double FULL = 0.9;
    private static final long SLOT = SuccessTimes.SLOT_MILLIS * 1_000_000L;
    private static final double SLOTS_PER_SECOND = 1e9 / SLOT;

    /** Number of slots before an outage that determine the normal rate. */
    private static final int MAX_SLOTS_BEFORE = (int) (10 * SLOTS_PER_SECOND);

    /** With fewer slots before an outage, the normal rate is unknown. */
    private static final int MIN_SLOTS_BEFORE = (int) (0.5 * SLOTS_PER_SECOND);

    /** The rate has recovered if it holds for this many slots. */
    private static final int MIN_SLOTS_AFTER = (int) (0.5 * SLOTS_PER_SECOND) + 1;

    /** With fewer operations, random variation of the rate is too large. */
    private static final int MIN_OPERATIONS = 50;

    private final SuccessTimes times;
    private final long start;
    private final long end;

    /** @param start start of the measurement, or the end of an earlier outage */
    Recovery(SuccessTimes times, long start, long end) {
        this.times = times;
        this.start = start;
        this.end = end;
    }

    /** The recovery from outages after this time. */
    Recovery after(long to) {
        return new Recovery(times, to, end);
    }

    /** Successes per slot before the outage; 0 if unknown. */
    private double level(long from) {
        long last = from / SLOT; // the outage begins in it, so it is incomplete
        long first = Math.max((start + SLOT - 1) / SLOT, last - MAX_SLOTS_BEFORE);
        return last - first < MIN_SLOTS_BEFORE ? 0 : sum(first, last) / (double) (last - first);
    }

    private long sum(long first, long behind) {
        long sum = 0;
        for (long slot = first; slot < behind; slot++) {
            sum += times.succeeded((int) slot);
        }
        return sum;
    }

    /** The successes lost within the measurement, at the normal rate; null if unknown. */
    @Nullable
    Long lost(long from, long to) {
        double level = level(from);
        return level == 0 ? null : Long.valueOf(Math.round(level * (Math.min(to, end) - from) / SLOT));
    }

    /** When the rate reached 90% of the normal one again; {@link #NEVER} if not within the measurement, or unknown. */
    long fullRateAt(long from, long to) {
        double level = level(from);
        if (level == 0) {
            return NEVER;
        }
        long span = Math.max(MIN_SLOTS_AFTER, (long) Math.ceil(MIN_OPERATIONS / level));
        for (long slot = to / SLOT + 1; (slot + span) * SLOT <= end; slot++) {
            boolean hasBegun = times.succeeded((int) slot) > 0 || level < 1;
            if (hasBegun && sum(slot, slot + span) >= FULL * level * span) {
                return slot * SLOT;
            }
        }
        return NEVER;
    }
}
