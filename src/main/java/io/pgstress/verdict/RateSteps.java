package io.pgstress.verdict;

import io.pgstress.result.RateStep;
import java.util.ArrayList;
import java.util.List;

/** Judges the steps of a target rate: which ones the load sustained. */
public final class RateSteps {
    /** A step is sustained if the backlog grows by at most this share of the operations due, or by one. */
    private static final double MAX_GROWTH = 0.01;

    private RateSteps() {}

    /**
     * The steps with the knee marked: the last sustained step before the first one that was not. No step is marked if
     * all were sustained, or if the first was not.
     */
    public static List<RateStep> withKnee(List<RateStep> steps) {
        int behind = 0;
        long before = 0;
        while (behind < steps.size() && keptUp(steps.get(behind), before)) {
            before = steps.get(behind).backlog();
            behind++;
        }
        if (behind == 0 || behind == steps.size()) {
            return List.copyOf(steps);
        }
        List<RateStep> marked = new ArrayList<>(steps);
        RateStep s = steps.get(behind - 1);
        marked.set(
                behind - 1,
                new RateStep(
                        s.fromSeconds(),
                        s.seconds(),
                        s.targetRate(),
                        s.opsPerSecond(),
                        s.responseMicros(),
                        s.backlog(),
                        true));
        return marked;
    }

    private static boolean keptUp(RateStep step, long backlogBefore) {
        double due = step.targetRate() * step.seconds();
        return step.backlog() - backlogBefore <= Math.max(1, MAX_GROWTH * due); // one may be due at the very end
    }
}
