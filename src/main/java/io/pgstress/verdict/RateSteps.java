package io.pgstress.verdict;

import io.pgstress.result.Outage;
import io.pgstress.result.RateStep;
import io.pgstress.text.Records;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Judges the steps of a target rate: which ones the load sustained. A backlog that was due while nothing was served says nothing
 * about a rate.
 */
final class RateSteps {
    /** A step is sustained if the backlog grows by at most this share of the operations due, or by one. */
    private static final double MAX_GROWTH = 0.01;

    /** Outages and stalls explain a backlog if at least this share of it was due meanwhile. */
    static final double MIN_OF_BACKLOG = 0.5;

    private RateSteps() {}

    /**
     * The steps with the knee marked: the last sustained step before the first one that was not. No step is marked if
     * all were sustained, or if the first was not.
     *
     * @param stalls outages and stalls of all nodes
     */
    static List<RateStep> withKnee(List<RateStep> steps, List<Outage> stalls) {
        int knee = firstBehind(steps, stalls) - 1;
        return IntStream.range(0, steps.size())
                .mapToObj(n -> Records.with(steps.get(n), "knee", n == knee))
                .toList();
    }

    /** The first step that was not sustained; -1 if all were. */
    static int firstBehind(List<RateStep> steps, List<Outage> stalls) {
        long before = 0;
        for (int n = 0; n < steps.size(); n++) {
            if (!keptUp(steps.get(n), before, stalls)) {
                return n;
            }
            before = steps.get(n).backlog();
        }
        return -1;
    }

    private static boolean keptUp(RateStep step, long backlogBefore, List<Outage> stalls) {
        double due = step.targetRate() * step.seconds();
        long growth = step.backlog() - backlogBefore;
        return growth <= Math.max(1, MAX_GROWTH * due) // one may be due at the very end
                || dueIn(stalls, step) >= MIN_OF_BACKLOG * growth;
    }

    /** The number of operations of all steps that were due in stalls. */
    static double dueIn(List<Outage> stalls, List<RateStep> steps) {
        return steps.stream().mapToDouble(step -> dueIn(stalls, step)).sum();
    }

    private static double dueIn(List<Outage> stalls, RateStep step) {
        double end = step.fromSeconds() + step.seconds();
        return step.targetRate()
                * stalls.stream()
                        .mapToDouble(stall -> Math.max(
                                0,
                                Math.min(stall.toSeconds(), end) - Math.max(stall.fromSeconds(), step.fromSeconds())))
                        .sum();
    }
}
