package io.pgstress.verdict;

import io.pgstress.result.IntervalResult;
import java.util.Locale;

/**
 * Whether throughput kept its level over the measurement. A closed load that gets faster or slower has no single rate. A run
 * whose warm-up was {@code auto} claims a steady state; one with a warm-up of a set length does not.
 */
final class SteadyState {
    /** Change from the first to the last third above which a reader is warned. */
    private static final double MAX_STEADY_CHANGE = 0.1;

    /**
     * Change above which a claim of a steady state is wrong. It is twice the other, as a compiler that is still at work when the
     * warm-up ends, and other load on a shared machine, change throughput by 10% to 20% in runs whose mean is still of use.
     */
    private static final double MAX_CLAIMED_CHANGE = 0.2;

    private SteadyState() {}

    static void judge(RunFigures run, Remarks remarks) {
        if (!run.isClosed() || !run.result().outages().isEmpty()) {
            return;
        }
        double change = Trend.of(run.measured().stream()
                .mapToDouble(IntervalResult::opsPerSecond)
                .toArray());
        if (Math.abs(change) <= MAX_STEADY_CHANGE) {
            return;
        }
        String words = String.format(
                Locale.ROOT,
                "throughput %s by %.0f%% from the first to the last third of the measurement: there is no steady state",
                change > 0 ? "rose" : "fell",
                100 * Math.abs(change));
        if (Math.abs(change) > MAX_CLAIMED_CHANGE
                && run.result().run().workload().automaticWarmup()) {
            remarks.reason(words + "; run it again with a longer --duration and --warmup-limit");
        } else {
            remarks.warning(words);
        }
    }
}
