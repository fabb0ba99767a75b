package io.pgstress.runner;

import io.pgstress.result.IntervalResult;
import io.pgstress.result.RunResult.Outage;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** Finds the times without a success: runs of intervals in which nothing ended well. */
final class Outages {
    private static final double SHORTEST_INTERVAL = 0.5;

    private Outages() {}

    /**
     * The outages of all nodes together, and of each node where there are several.
     *
     * @param intervalSeconds the usual length of an interval; a much shorter one at the end says nothing
     */
    static List<Outage> find(List<IntervalResult> intervals, List<String> nodes, double intervalSeconds) {
        List<Outage> outages = new ArrayList<>(of(intervals, IntervalResult::ok, null, intervalSeconds));
        if (nodes.size() > 1) {
            for (String node : nodes) {
                outages.addAll(of(intervals, i -> i.nodesOk().getOrDefault(node, 0L), node, intervalSeconds));
            }
        }
        return outages;
    }

    private static List<Outage> of(
            List<IntervalResult> intervals,
            ToLongFunction<IntervalResult> ok,
            @Nullable String node,
            double intervalSeconds) {
        List<Outage> outages = new ArrayList<>();
        double from = -1;
        double to = -1;
        for (IntervalResult interval : intervals) {
            boolean counts =
                    interval.phase().equals("measure") && interval.seconds() >= SHORTEST_INTERVAL * intervalSeconds;
            if (counts && ok.applyAsLong(interval) == 0) {
                from = from < 0 ? interval.atSeconds() : from;
                to = interval.atSeconds() + interval.seconds();
            } else if (from >= 0) {
                outages.add(new Outage(from, to, node));
                from = -1;
            }
        }
        if (from >= 0) {
            outages.add(new Outage(from, to, node));
        }
        return outages;
    }
}
