package io.pgstress.verdict;

import io.pgstress.measure.SuccessTimes;
import io.pgstress.measure.SuccessTimes.LongWait;
import io.pgstress.result.Outage;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds the periods in which no operation was answered although clients tried: from the last answer before to the first one after,
 * to the millisecond. Periods in which nothing was due, or operations took their usual time, do not count. Immutable.
 */
final class Outages {
    /** Shorter periods are not reported, unless operations failed in them, or all of them together are a large part of the measurement. */
    private static final long MIN_NANOS = 500_000_000;

    private static final double MIN_SHARE_OF_SHORT_ONES = 0.1;

    private static final long MIN_NANOS_WITH_FAILURES = 100_000_000;

    /** Successes for no longer than this, such as that of the one operation that was in progress, do not end an outage. */
    private static final long MAX_SUCCESS_NANOS = 10_000_000;

    /** An operation that takes this many times its usual time is considered stalled. */
    private static final int USUAL_TIMES = 2;

    /** The same in periods shorter than {@link #MIN_NANOS}, because times of operations that are slow anyway vary by more than twice. */
    private static final int USUAL_TIMES_IN_SHORT_ONES = 10;

    /** The minimum share of an outage during which some client tried. */
    private static final double MIN_TRIED = 0.5;

    private static final long MILLI = 1_000_000;

    private final SuccessTimes times;
    private final List<LongWait> waits;
    private final long[] usual;
    private final long start;
    private final long end;

    /**
     * @param times success times of one node, or of all nodes together
     * @param usualNanos usual duration by operation
     * @param startNanos start of the measurement, since the start of the load, pauses excluded
     * @param endNanos end of the measurement, likewise
     */
    Outages(SuccessTimes times, long[] usualNanos, long startNanos, long endNanos) {
        this.times = times;
        this.waits = times.waits();
        this.usual = usualNanos.clone();
        this.start = startNanos;
        this.end = endNanos;
    }

    /**
     * All outages. One that lasts beyond the end of the measurement ends with the first answer of the drain, or else with the
     * measurement.
     *
     * @param node the node; null: all nodes together
     */
    List<Outage> find(@Nullable String node) {
        List<Outage> outages = new ArrayList<>();
        Recovery recovery = new Recovery(times, start, end);
        for (Period period : periods()) {
            outages.add(new Outage(
                    seconds(period.from),
                    seconds(period.to),
                    node,
                    false,
                    recovery.lost(period.from, period.to),
                    fullRate(recovery, period.from, period.to),
                    List.of(),
                    null,
                    false));
            recovery = recovery.after(period.to);
        }
        return outages;
    }

    /**
     * All stalls, also those that are too short for an outage. One over the end of the measurement counts by its whole length, so that its
     * part within it may be shorter.
     */
    List<Outage> stalls() {
        List<Period> stalls = new ArrayList<>(periods(true));
        if (stalls.stream().allMatch(period -> period.to < end)) {
            overTheEnd().ifPresent(stalls::add);
        }
        return stalls.stream()
                .map(period -> new Outage(seconds(period.from), seconds(period.to), null))
                .toList();
    }

    private Optional<Period> overTheEnd() {
        long last = 0;
        for (long next = times.next(0); next < end / MILLI; next = times.next(next + 1)) {
            last = next;
        }
        long next = times.next(end / MILLI);
        long to = next == Long.MAX_VALUE
                ? waits.stream().mapToLong(LongWait::end).max().orElse(end)
                : next * MILLI;
        long from = from(Math.max(last * MILLI, start), to, to, USUAL_TIMES_IN_SHORT_ONES, MIN_NANOS_WITH_FAILURES);
        return from < Math.min(to, end) ? Optional.of(new Period(from, to)) : Optional.empty();
    }

    private record Period(long from, long to) {}

    private List<Period> periods() {
        List<Period> found = periods(false);
        List<Period> all = periods(true);
        return length(all) - length(found) > MIN_SHARE_OF_SHORT_ONES * (end - start) ? all : found;
    }

    private long length(List<Period> periods) {
        return periods.stream().mapToLong(p -> Math.min(p.to, end) - p.from).sum();
    }

    /**
     * The periods without a success. Two that a short success separates are one: it is no recovery. Three of them are several, because
     * operations succeed, even if rarely.
     */
    private List<Period> periods(boolean hasShortOnes) {
        List<Period> periods = new ArrayList<>();
        boolean isJoined = false;
        long last = 0;
        while (last * MILLI < end) {
            long next = times.next(last + 1);
            if (next - last >= MIN_NANOS_WITH_FAILURES / MILLI) {
                long to = next == Long.MAX_VALUE ? end : next * MILLI;
                long answer = Math.max(last * MILLI, start);
                long from = from(answer, to, end, USUAL_TIMES, MIN_NANOS);
                if (hasShortOnes && from == to) {
                    from = from(answer, to, end, USUAL_TIMES_IN_SHORT_ONES, MIN_NANOS_WITH_FAILURES);
                }
                if (from < to) {
                    int before = periods.size() - 1;
                    boolean isSame = before >= 0 && !isJoined && from - periods.get(before).to <= MAX_SUCCESS_NANOS;
                    periods.add(new Period(isSame ? periods.remove(before).from : from, to));
                    isJoined = isSame;
                }
            }
            last = next == Long.MAX_VALUE ? end : next;
        }
        return periods;
    }

    private @Nullable Double fullRate(Recovery recovery, long from, long to) {
        long at = recovery.fullRateAt(from, to);
        return at == Recovery.NEVER ? null : seconds(at);
    }

    /**
     * The start of the outage between two answers: if nothing was in progress at the first one, the next start; {@code to} if there is none.
     *
     * @param limit what is after this time does not count for its length
     */
    private long from(long answer, long to, long limit, int usualTimes, long minNanos) {
        long began = to;
        long failed = 0;
        for (LongWait wait : waits) {
            if (wait.since() < to && wait.end() > answer && isLong(wait, usualTimes)) {
                began = Math.min(began, wait.since());
                failed += wait.failed();
            }
        }
        long from = Math.max(answer, began);
        long least = failed > 0 ? MIN_NANOS_WITH_FAILURES : minNanos;
        return Math.min(to, limit) - from >= least && hasTried(from, to, usualTimes) ? from : to;
    }

    /** Whether it includes failures or a stalled operation, not just an operation that takes its usual time, which is unknown if none ended. */
    private boolean isLong(LongWait wait, int usualTimes) {
        long median = usual[wait.operation()];
        return wait.failed() > 0 || (median > 0 && wait.longest() >= usualTimes * median);
    }

    private boolean hasTried(long from, long to, int usualTimes) {
        return waits.stream().anyMatch(w -> isLong(w, usualTimes) && tried(w, from, to) >= MIN_TRIED * (to - from));
    }

    /** How much of a period a client spent trying; it was idle only at the end of its wait. */
    private static long tried(LongWait wait, long from, long to) {
        return Math.min(wait.end(), to) - Math.max(wait.since(), from) - wait.idle();
    }

    /** Seconds since the start of the measurement, rounded to milliseconds. */
    private double seconds(long nanos) {
        return Math.round((nanos - start) / 1e6) / 1e3;
    }

    /**
     * The cost of an outage, from the successes in each slot of {@value SuccessTimes#SLOT_MILLIS} ms before and after it. Times are
     * nanoseconds since the start of the load, pauses excluded. Immutable.
     */
    static final class Recovery {
        static final long NEVER = Long.MAX_VALUE;

        private static final double FULL = 0.9;
        private static final long SLOT = SuccessTimes.SLOT_MILLIS * 1_000_000L;
        private static final double SLOTS_PER_SECOND = 1e9 / SLOT;

        /** Number of slots before an outage that determine the normal rate. */
        private static final int MAX_SLOTS_BEFORE = (int) (10 * SLOTS_PER_SECOND);

        /** With fewer slots before an outage, the normal rate is unknown. */
        private static final int MIN_SLOTS_BEFORE = (int) (0.5 * SLOTS_PER_SECOND);

        /** The rate before an outage is that since it changed last, if it held for this many slots, */
        private static final int SLOTS_OF_PART = 4;

        /** and this many operations, */
        private static final int MIN_OPERATIONS_OF_PART = 20;

        /** and if it changed by at least this factor. */
        private static final double MIN_STEP = 1.2;

        /** A fall just before an outage is its beginning, unless it lasts for more than this many slots, a second. */
        private static final int SLOTS_OF_FALL = 4 * SLOTS_OF_PART;

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
            if (last - first < MIN_SLOTS_BEFORE) {
                return 0;
            }
            last = beforeFall(first, last);
            for (long at = step(first, last); at > first; at = step(first, last)) {
                first = at;
            }
            return mean(first, last);
        }

        /** The end of the time before the outage without a short fall at its end. */
        private long beforeFall(long first, long behind) {
            for (long end = behind; behind - end <= SLOTS_OF_FALL; end -= SLOTS_OF_PART) {
                long part = end - SLOTS_OF_PART;
                double before = part - SLOTS_OF_FALL < first ? 0 : mean(part - SLOTS_OF_FALL, part);
                if (before * SLOTS_OF_PART < MIN_OPERATIONS_OF_PART || mean(part, end) * MIN_STEP > before) {
                    return end;
                }
            }
            return behind; // it lasted
        }

        /**
         * The slot at which the rate changed to that of the rest: the one that divides the squares best, if all parts before it are on one
         * side of the rest's rate, and all parts of the rest on the other side of the rate before.
         *
         * @return the first slot if it did not change, or alternates
         */
        private long step(long first, long behind) {
            long at = first;
            double most = 0;
            for (long slot = first + SLOTS_OF_PART; slot <= behind - SLOTS_OF_PART; slot++) {
                double apart = mean(first, slot) - mean(slot, behind);
                double contrast = apart * apart * (slot - first) * (behind - slot);
                if (contrast > most) {
                    most = contrast;
                    at = slot;
                }
            }
            boolean isFall = most > 0 && mean(first, at) > mean(at, behind);
            return most > 0
                            && sum(at, behind) >= MIN_OPERATIONS_OF_PART
                            && areApart(first, at, mean(at, behind), isFall)
                            && areApart(at, behind, mean(first, at), !isFall)
                    ? at
                    : first;
        }

        /** Whether all parts of a period are above a rate, or below it. */
        private boolean areApart(long first, long behind, double rate, boolean areAbove) {
            for (long slot = behind - SLOTS_OF_PART; slot >= first; slot -= SLOTS_OF_PART) {
                double part = mean(slot, slot + SLOTS_OF_PART);
                if (areAbove ? part < MIN_STEP * rate : part * MIN_STEP > rate) {
                    return false;
                }
            }
            return true;
        }

        private double mean(long first, long behind) {
            return sum(first, behind) / (double) (behind - first);
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
}
