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
        int behind = 0;
        long before = 0;
        while (behind < steps.size() && keptUp(steps.get(behind), before)) {
            before = steps.get(behind).backlog();
            behind++;
        }
        int knee = behind < steps.size() ? behind - 1 : -1;
        return IntStream.range(0, steps.size())
                .mapToObj(n -> Records.with(steps.get(n), "knee", n == knee))
                .toList();
    }

    private static boolean keptUp(RateStep step, long backlogBefore) {
        double due = step.targetRate() * step.seconds();
        return step.backlog() - backlogBefore <= Math.max(1, MAX_GROWTH * due); // one may be due at the very end
    }
}
