package io.pgstress.result;

import io.pgstress.text.Inline;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of a search for the highest rate of an open loop that keeps limits.
 *
 * @param kind {@value #KIND}, which distinguishes its JSON from the JSON of a run
 * @param closedOpsPerSecond operations per second of a closed loop of the same clients
 * @param tried the rates in the order in which they were tried
 * @param rate the highest rate that was confirmed; null if there is none
 * @param low, high the interval of the highest rate that keeps the limits; null if unknown
 * @param held number of confirmations in which the rate kept the limits
 * @param confirmations number of confirmations of the rate
 * @param brokenRate the next higher rate that did not keep the limits; null if all did
 * @param verdict the conclusions, one sentence each
 */
public record RateSearch(
        @Inline Header header,
        String kind,
        List<KeptLimit> limits,
        double closedOpsPerSecond,
        List<TriedRate> tried,
        @Nullable Double rate,
        @Nullable Double low,
        @Nullable Double high,
        int held,
        int confirmations,
        @Nullable Double brokenRate,
        List<String> verdict,
        @Inline Validity validity)
        implements Result {
    public static final int SCHEMA = 1;
    public static final String KIND = "rate-search";

    /** Whether all rates that were tried exceed a limit. */
    @Override
    public boolean exceedsLimit() {
        return rate == null;
    }

    /**
     * A limit: at most a share of the operations may be beyond it.
     *
     * @param limit such as {@code p99<10ms}
     * @param micros longer operations are beyond it; 0: failed operations are
     * @param share from 0 to 1
     */
    public record KeptLimit(String limit, double micros, double share) {}

    /**
     * A rate that was tried.
     *
     * @param stage {@code doubling}, {@code bisection} or {@code confirmation}
     * @param seconds planned length of the measurement
     * @param responseMicros response times; null if no operation succeeded
     * @param keptUp whether the backlog did not grow
     * @param complete whether it was measured for its whole length; otherwise it was hopeless
     * @param held whether it kept all limits
     * @param beyond for each limit how many operations were beyond it
     */
    public record TriedRate(
            double rate,
            String stage,
            double seconds,
            double opsPerSecond,
            @Nullable Latency responseMicros,
            long errors,
            boolean keptUp,
            boolean complete,
            boolean held,
            List<BeyondLimit> beyond) {}

    /** The operations beyond a limit, with the interval of their share by batch means. */
    public record BeyondLimit(
            long operations,
            long beyond,
            @Nullable Double low,
            @Nullable Double high) {
        /** From 0 to 1; 0 without operations. */
        public double share() {
            return operations == 0 ? 0 : (double) beyond / operations;
        }
    }
}
