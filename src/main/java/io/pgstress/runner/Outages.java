package io.pgstress.runner;

import io.pgstress.result.RunResult.Outage;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the times without a success: runs of intervals in which nothing ended well, though something failed, or was under
 * way and took much longer than usual. Where nothing was due, or operations take longer than intervals, nothing is wrong.
 */
final class Outages {
    /**
     * What an interval had, of all nodes or of one.
     *
     * @param isMeasured whether it belongs to the measurement, and not to the drain
     * @param failed errors only: a miss or a duplicate is an answer
     * @param slowestSeconds of the operations that ended in it; 0: none did
     */
    record Seen(double atSeconds, double seconds, boolean isMeasured, long ok, long failed, double slowestSeconds) {}

    private static final double SHORTEST_INTERVAL = 0.5;
    private static final double USUAL_TIMES = 2;

    private final double intervalSeconds;
    private final double usualSeconds;

    /**
     * @param intervalSeconds the usual length of an interval; a much shorter one at the end says nothing
     * @param usualSeconds what an operation usually takes
     */
    Outages(double intervalSeconds, double usualSeconds) {
        this.intervalSeconds = intervalSeconds;
        this.usualSeconds = usualSeconds;
    }

    /**
     * The outages of all nodes together, or of one.
     *
     * @param node which one; null: all of them
     */
    List<Outage> find(List<Seen> intervals, @Nullable String node) {
        List<Outage> outages = new ArrayList<>();
        int first = -1;
        for (int i = 0; i <= intervals.size(); i++) {
            if (i < intervals.size() && isWithout(intervals.get(i))) {
                first = first < 0 ? i : first;
            } else if (first >= 0) {
                List<Seen> gap = intervals.subList(first, i);
                double from = gap.get(0).atSeconds();
                double to = gap.get(gap.size() - 1).atSeconds()
                        + gap.get(gap.size() - 1).seconds();
                double slowest = slowest(intervals.subList(i, intervals.size()));
                if (gap.stream().anyMatch(g -> g.failed() > 0)
                        || slowest >= Math.max((to - from) / 2, USUAL_TIMES * usualSeconds)) {
                    outages.add(new Outage(from, to, node));
                }
                first = -1;
            }
        }
        return outages;
    }

    private boolean isWithout(Seen interval) {
        return interval.isMeasured() && interval.seconds() >= SHORTEST_INTERVAL * intervalSeconds && interval.ok() == 0;
    }

    /** The longest operation that ended in the first of these that any ended in, in seconds: what stood still before ends there. */
    private static double slowest(List<Seen> after) {
        return after.stream()
                .mapToDouble(Seen::slowestSeconds)
                .filter(slowest -> slowest > 0)
                .findFirst()
                .orElse(0);
    }
}
