package io.pgstress.verdict;

import io.pgstress.result.RateStep;
import io.pgstress.text.Records;
import java.util.List;
import java.util.stream.IntStream;

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
        int knee = firstBehind(steps) - 1;
        return IntStream.range(0, steps.size())
                .mapToObj(n -> Records.with(steps.get(n), "knee", n == knee))
                .toList();
    }

    /** The first step that was not sustained; -1 if all were. */
    static int firstBehind(List<RateStep> steps) {
        long before = 0;
        for (int n = 0; n < steps.size(); n++) {
            if (!keptUp(steps.get(n), before)) {
                return n;
            }
            before = steps.get(n).backlog();
        }
        return -1;
    }

    private static boolean keptUp(RateStep step, long backlogBefore) {
        double due = step.targetRate() * step.seconds();
        return step.backlog() - backlogBefore <= Math.max(1, MAX_GROWTH * due); // one may be due at the very end
    }
}
