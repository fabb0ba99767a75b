package io.pgstress.verdict;

import io.pgstress.measure.LatencyHistogram;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * How far the scheduling of the client's own threads shaped the times, by probes: bytes that become readable at set times, and
 * that a thread of the clients' kind waits for as a client waits for its answer. Immutable.
 *
 * @param share of the probes (0 to 1) whose thread ran late by a notable part of an operation's time: an estimate of the share of
 *     operations whose client waited for its own turn; null where there were too few probes
 * @param medianMicros how late threads ran
 * @param p99Micros likewise
 */
public record ClientTurns(@Nullable Double share, double medianMicros, double p99Micros) {
    /** From this share on, percentiles are those of the client as well. */
    private static final double MAX_SHARE = 0.1;

    /** A thread that runs later than this part of an operation's usual time waited notably. */
    private static final double NOTABLE_PART = 0.5;

    /** Nothing shorter is: a thread that has a core to itself takes as long to wake up. */
    private static final double MIN_MICROS = 100;

    private static final long MIN_PROBES = 50;

    /**
     * @param late how late each probe was read
     * @param usualMicros the median time of an operation
     */
    public static ClientTurns of(LatencyHistogram late, double usualMicros) {
        double notable = Math.max(MIN_MICROS, NOTABLE_PART * usualMicros);
        long[] waited = new long[1];
        late.forEachBucket((nanos, count) -> waited[0] += nanos > notable * 1e3 ? count : 0);
        Double share = late.count() < MIN_PROBES ? null : Double.valueOf((double) waited[0] / late.count());
        return new ClientTurns(share, late.micros(50), late.micros(99));
    }

    /** Whether it did so notably. */
    public boolean shapedTimes() {
        return share != null && share > MAX_SHARE;
    }

    /** The warning of it. */
    public String words() {
        return String.format(
                Locale.ROOT,
                "client scheduling shaped the percentiles: about %.0f%% of the operations waited for their client's turn"
                        + " (a client's thread ran %.2f ms late at the median, %.2f ms at p99); do not compare them with"
                        + " those of another kind of client threads",
                100 * (share == null ? 0 : share),
                medianMicros / 1e3,
                p99Micros / 1e3);
    }
}
