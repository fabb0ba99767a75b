package io.pgstress.verdict;

import io.pgstress.measure.LongWait;
import io.pgstress.measure.SuccessTimes;
import io.pgstress.result.Outage;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the times in which no operation was answered although clients tried: from the last answer before to the first one after, to
 * the millisecond. A time in which nothing was due, or in which operations take as long as usual, is none. Immutable.
 */
public final class Outages {
    /** A shorter time without an answer is not reported, unless operations failed in it. */
    private static final long MIN_NANOS = 500_000_000;

    private static final long MIN_NANOS_WITH_FAILURES = 100_000_000;

    /** An operation that takes this much longer than usual stood still. */
    private static final int USUAL_TIMES = 2;

    /** The least share of an outage in which one of the clients tried. */
    private static final double MIN_TRIED = 0.5;

    private static final long MILLI = 1_000_000;

    private final SuccessTimes times;
    private final List<LongWait> waits;
    private final long[] usual;
    private final long start;
    private final long end;

    /**
     * @param times of one node, or of all together
     * @param usualNanos by operation, what it usually takes
     * @param startNanos of the measurement, since the start of the load, pauses excluded
     * @param endNanos of the measurement, likewise
     */
    public Outages(SuccessTimes times, long[] usualNanos, long startNanos, long endNanos) {
        this.times = times;
        this.waits = times.waits();
        this.usual = usualNanos.clone();
        this.start = startNanos;
        this.end = endNanos;
    }

    /**
     * All of them. One that lasts beyond the end of the measurement ends with the first answer of the drain, or else with the
     * measurement.
     *
     * @param node whose they are; null: all together
     */
    public List<Outage> find(@Nullable String node) {
        List<Outage> outages = new ArrayList<>();
        Recovery recovery = new Recovery(times, start, end);
        long last = 0;
        while (last * MILLI < end) {
            long next = times.next(last + 1);
            if (next - last >= MIN_NANOS_WITH_FAILURES / MILLI) {
                long to = next == Long.MAX_VALUE ? end : next * MILLI;
                long from = from(Math.max(last * MILLI, start), to);
                if (from < to) {
                    outages.add(new Outage(
                            seconds(from),
                            seconds(to),
                            node,
                            false,
                            recovery.lost(from, to),
                            fullRate(recovery, from, to)));
                    recovery = recovery.after(to);
                }
            }
            last = next == Long.MAX_VALUE ? end : next;
        }
        return outages;
    }

    private @Nullable Double fullRate(Recovery recovery, long from, long to) {
        long at = recovery.fullRateAt(from, to);
        return at == Recovery.NEVER ? null : seconds(at);
    }

    /** When the outage between two answers began: where nothing was under way at the first one, with what came next; {@code to}: there is none. */
    private long from(long answer, long to) {
        long began = to;
        long failed = 0;
        for (LongWait wait : waits) {
            if (wait.since() < to && wait.end() > answer && isLong(wait)) {
                began = Math.min(began, wait.since());
                failed += wait.failed();
            }
        }
        long from = Math.max(answer, began);
        long least = failed > 0 ? MIN_NANOS_WITH_FAILURES : MIN_NANOS;
        return Math.min(to, end) - from >= least && hasTried(from, to) ? from : to;
    }

    /** Whether failures or an operation that stood still are in it, and not just an operation that takes its time. */
    private boolean isLong(LongWait wait) {
        return wait.failed() > 0 || wait.longest() >= USUAL_TIMES * usual[wait.operation()];
    }

    private boolean hasTried(long from, long to) {
        return waits.stream().anyMatch(w -> isLong(w) && tried(w, from, to) >= MIN_TRIED * (to - from));
    }

    /** For how long of a time a client tried; it idled at the end of its wait, if at all. */
    private static long tried(LongWait wait, long from, long to) {
        return Math.min(wait.end(), to) - Math.max(wait.since(), from) - wait.idle();
    }

    /** Since the start of the measurement, to the millisecond. */
    private double seconds(long nanos) {
        return Math.round((nanos - start) / 1e6) / 1e3;
    }
}
