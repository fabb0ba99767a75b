package io.pgstress.verdict;

import io.pgstress.measure.LatencyHistogram;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.text.Rounded;
import org.jspecify.annotations.Nullable;

/**
 * How far the scheduling of the client's own threads affected latencies. Immutable.
 *
 * @param share the share of operations (0 to 1) whose client had its answer but waited for its turn for a notable part of an operation's
 *     time, counted on event loops; null without event loops
 * @param waitMicros mean time per operation for which its client had its answer but waited for its turn, on event loops; null without
 *     event loops
 * @param medianMicros how late a probe thread ran: an average over time, in which the few operations that wait long weigh
 *     more than the many that do not
 * @param p99Micros likewise
 * @param latency latencies of the operations
 */
public record ClientTurns(
        @Nullable Double share, @Nullable Double waitMicros, double medianMicros, double p99Micros, Typical latency) {
    /** The median and the mean latency of an operation, in microseconds. */
    public record Typical(double medianMicros, double meanMicros) {}

    /**
     * Above this part of the mean latency, the waits on event loops are unusual. On a saturated machine, clients always wait for
     * each other, as pgbench's do.
     */
    private static final double MAX_PART = 0.5;

    /** A wait shorter than this part of an operation's usual time is ignored. */
    private static final double NOTABLE_PART = 0.5;

    private static final double MIN_MICROS = 100;

    /** For probes the wait must also exceed this: even a thread with its own core takes some time to wake up. */
    private static final double MIN_PROBED_MICROS = 1_000;

    /**
     * @param waits numbers of waits of event-loop threads until the end of the measurement, at index n those shorter than 2 to the
     *     power of n nanoseconds; null without event loops
     * @param before likewise until its start
     * @param operations number of operations with any outcome that ended in between
     * @param late how late each probe was read
     */
    public static ClientTurns of(
            long @Nullable [] waits,
            long @Nullable [] before,
            long operations,
            LatencyHistogram late,
            Typical latency) {
        if (waits == null || before == null || operations == 0) {
            return new ClientTurns(null, null, late.micros(50), late.micros(99), latency);
        }
        double share = Math.min(1, (double) notable(waits, before, latency.medianMicros()) / operations);
        double wait = Math.min(latency.meanMicros(), micros(waits, before) / operations); // retries wait, too
        return new ClientTurns(share, wait, late.micros(50), late.micros(99), latency);
    }

    /** The sum of the waits, each taken as the middle of its index's range. */
    private static double micros(long[] waits, long[] before) {
        double sum = 0;
        for (int n = 1; n < waits.length; n++) {
            sum += Math.scalb(0.75, n) * (waits[n] - before[n]);
        }
        return sum / 1e3;
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
        return waitMicros != null
                ? waitMicros > Math.max(MIN_MICROS, MAX_PART * latency.meanMicros())
                : medianMicros > Math.max(MIN_PROBED_MICROS, NOTABLE_PART * latency.medianMicros());
    }

    /** Whether clients queued on event loops for a notable part of their operations' time. */
    boolean areQueues() {
        return waitMicros != null && shapedTimes();
    }

    /** The warning about it. */
    public Remark remark() {
        return Remark.of(RemarkCode.CLIENT_WAITS, waits());
    }

    /** How long clients, or threads like theirs, waited. */
    String waits() {
        return waitMicros == null
                ? Rounded.format(
                        "a thread like the clients' ran %.2f ms late at the median, %.2f ms at p99, and the median operation takes"
                                + " %.2f ms",
                        medianMicros / 1e3, p99Micros / 1e3, latency.medianMicros() / 1e3)
                : Rounded.format(
                        "for about %.2f of the %.2f ms of an average operation, the answer had arrived and the client was waiting for its"
                                + " turn",
                        waitMicros / 1e3, latency.meanMicros() / 1e3);
    }
}
