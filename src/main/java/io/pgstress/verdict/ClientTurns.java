package io.pgstress.verdict;

import io.pgstress.measure.LatencyHistogram;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * How far the scheduling of the client's own threads affected latencies. Immutable.
 *
 * @param share the share of operations (0 to 1) whose client had its answer but waited for its turn for a notable part of an operation's
 *     time, counted on event loops; null without event loops
 * @param medianMicros how late a probe thread ran: an average over time, in which the few operations that wait long weigh
 *     more than the many that do not
 * @param p99Micros likewise
 * @param usualMicros median latency of an operation
 */
public record ClientTurns(@Nullable Double share, double medianMicros, double p99Micros, double usualMicros) {
    /** From this share on, percentiles are also those of the client. */
    private static final double MAX_SHARE = 0.1;

    /** A wait shorter than this part of an operation's usual time is ignored. */
    private static final double NOTABLE_PART = 0.5;

    private static final double MIN_MICROS = 100;

    /** For probes the wait must also exceed this: even a thread with its own core takes some time to wake up. */
    private static final double MIN_PROBED_MICROS = 1_000;

    /**
     * @param waits numbers of waits of event-loop threads until the end of the measurement, at index n those shorter than 2 to the
     *     power of n nanoseconds; null without event loops
     * @param before likewise until its start
     * @param operations number of operations that ended in between
     * @param late how late each probe was read
     * @param usualMicros median latency of an operation
     */
    public static ClientTurns of(
            long @Nullable [] waits,
            long @Nullable [] before,
            long operations,
            LatencyHistogram late,
            double usualMicros) {
        Double share = waits == null || before == null || operations == 0
                ? null
                : Double.valueOf(Math.min(1, (double) notable(waits, before, usualMicros) / operations));
        return new ClientTurns(share, late.micros(50), late.micros(99), usualMicros);
    }

    /** Number of waits at the indexes that contain only notable waits. */
    private static long notable(long[] waits, long[] before, double usualMicros) {
        double least = 1e3 * Math.max(MIN_MICROS, NOTABLE_PART * usualMicros);
        long sum = 0;
        for (int n = 1; n < waits.length; n++) {
            if (Math.scalb(1.0, n - 1) >= least) {
                sum += waits[n] - before[n];
            }
        }
        return sum;
    }

    /** Whether the effect is notable. */
    public boolean shapedTimes() {
        return share != null
                ? share > MAX_SHARE
                : medianMicros > Math.max(MIN_PROBED_MICROS, NOTABLE_PART * usualMicros);
    }

    /** The warning about it. */
    public String words() {
        String waited = share == null
                ? ""
                : String.format(
                        Locale.ROOT, "about %.0f%% of the operations waited for their client's turn; ", 100 * share);
        return "the percentiles include waiting inside the load tester: " + waited
                + String.format(
                        Locale.ROOT,
                        "a thread like the clients' ran %.2f ms late at the median, %.2f ms at p99; do not compare latencies"
                                + " with those of another kind of client threads",
                        medianMicros / 1e3,
                        p99Micros / 1e3);
    }
}
