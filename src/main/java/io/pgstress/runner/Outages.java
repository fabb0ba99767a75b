package io.pgstress.runner;

import io.pgstress.result.IntervalResult;
import io.pgstress.result.RunResult.Outage;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Finds the times without a success: runs of intervals in which nothing ended well, though something failed, or was under
 * way and took much longer than usual. Where nothing was due, or operations take longer than intervals, nothing is wrong.
 */
final class Outages {
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

    /** The outages of all nodes together, and of each node where there are several. */
    List<Outage> find(List<IntervalResult> intervals, List<String> nodes) {
        List<Outage> outages = new ArrayList<>(of(intervals, IntervalResult::ok, null));
        if (nodes.size() > 1) {
            for (String node : nodes) {
                outages.addAll(of(intervals, i -> i.nodesOk().getOrDefault(node, 0L), node));
            }
        }
        return outages;
    }

    private List<Outage> of(List<IntervalResult> intervals, ToLongFunction<IntervalResult> ok, @Nullable String node) {
        List<Outage> outages = new ArrayList<>();
        int first = -1;
        for (int i = 0; i <= intervals.size(); i++) {
            boolean isWithout =
                    i < intervals.size() && counts(intervals.get(i)) && ok.applyAsLong(intervals.get(i)) == 0;
            if (isWithout) {
                first = first < 0 ? i : first;
            } else if (first >= 0) {
                List<IntervalResult> gap = intervals.subList(first, i);
                double from = gap.get(0).atSeconds();
                double to = gap.get(gap.size() - 1).atSeconds()
                        + gap.get(gap.size() - 1).seconds();
                double slowest = slowest(intervals.subList(i, intervals.size()));
                if (gap.stream().anyMatch(Outages::hasFailures)
                        || slowest >= Math.max((to - from) / 2, USUAL_TIMES * usualSeconds)) {
                    outages.add(new Outage(from, to, node));
                }
                first = -1;
            }
        }
        return outages;
    }

    private boolean counts(IntervalResult interval) {
        return interval.phase().equals("measure") && interval.seconds() >= SHORTEST_INTERVAL * intervalSeconds;
    }

    private static boolean hasFailures(IntervalResult interval) {
        return interval.failed() + interval.misses() + interval.duplicates() > 0;
    }

    /** The longest operation that ended in the first of these that any ended in, in seconds: what stood still before ends there. */
    private static double slowest(List<IntervalResult> after) {
        return after.stream()
                .map(IntervalResult::totalMicros)
                .filter(Objects::nonNull)
                .findFirst()
                .map(total -> total.max() / 1e6)
                .orElse(0.0);
    }
}
