package io.pgstress.verdict;

import io.pgstress.result.IntervalResult;
import io.pgstress.result.RemarkCode;

/**
 * Checks whether throughput was steady over the measurement. A closed load that speeds up or slows down has no single rate. A run
 * with warm-up {@code auto} claims a steady state; one with a fixed warm-up does not.
 */
final class SteadyState {
    /** Larger changes from the first to the last third cause a warning. */
    private static final double MAX_STEADY_CHANGE = 0.1;

    /**
     * Larger changes refute a claim of a steady state. Twice the other limit, because a compiler still at work when the
     * warm-up ends, or other load on a shared machine, changes throughput by 10% to 20% in runs whose mean is still useful.
     */
    private static final double MAX_CLAIMED_CHANGE = 0.2;

    private SteadyState() {}

    static void judge(RunFigures run, Remarks remarks) {
        if (!run.isClosed() || !run.result().load().outages().isEmpty()) {
            return;
        }
        double change = Trend.of(run.measured().stream()
                .mapToDouble(IntervalResult::opsPerSecond)
                .toArray());
        if (Math.abs(change) <= MAX_STEADY_CHANGE) {
            return;
        }
        boolean isClaimed = Math.abs(change) > MAX_CLAIMED_CHANGE
                && run.result().run().workload().automaticWarmup();
        remarks.add(
                isClaimed ? RemarkCode.UNSTEADY_AFTER_WARMUP : RemarkCode.UNSTEADY,
                change > 0 ? "rose" : "fell",
                100 * Math.abs(change));
    }
}
