package io.pgstress.verdict;

import io.pgstress.measure.SuccessTimes;
import io.pgstress.result.Outage;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** When a run's operations were answered, per node and overall. Immutable. */
public final class AnswerTimes {
    /** No data. */
    public static final AnswerTimes NONE = new AnswerTimes(Map.of(), new long[0], 0, 0);

    private static final double NANOS = 1e9;

    /** Operations continued during a server's silence if their longest gap is at most this share of it. */
    private static final double MAX_GAP = 0.5;

    private final Map<String, SuccessTimes> byNode;
    private final long[] usual;
    private final long start;
    private final long end;

    /**
     * @param byNode success times by node URL
     * @param usualNanos usual duration by operation
     * @param startNanos start of the measurement, since the start of the load, pauses excluded
     * @param endNanos end of the measurement, likewise
     */
    public AnswerTimes(Map<String, SuccessTimes> byNode, long[] usualNanos, long startNanos, long endNanos) {
        this.byNode = new LinkedHashMap<>(byNode);
        this.usual = usualNanos.clone();
        this.start = startNanos;
        this.end = endNanos;
    }

    private SuccessTimes together() {
        return SuccessTimes.together(List.copyOf(byNode.values()));
    }

    /** The outages of all nodes together, and of each node if there are several. */
    List<Outage> outages() {
        List<Outage> outages = new ArrayList<>(of(together()).find(null));
        if (byNode.size() > 1) {
            byNode.forEach((url, times) -> outages.addAll(of(times).find(url)));
        }
        return outages;
    }

    private Outages of(SuccessTimes times) {
        return new Outages(times, usual, start, end);
    }

    /** The causes of the longest operations. */
    LongTimes longTimes(List<Suspect> suspects) {
        return new LongTimes(together().waits(), usual, start, end, suspects);
    }

    /** Whether operations on a server were answered while its checks were not: only its control connection was lost. */
    boolean wentOn(Silence silence) {
        SuccessTimes times = silence.url() == null ? null : byNode.get(silence.url());
        if (times == null) {
            return false;
        }
        long from = milli(silence.asked());
        long to = milli(silence.to());
        long longest = 0;
        for (long at = from; at < to; ) {
            long next = Math.min(to, times.next(at + 1));
            longest = Math.max(longest, next - at);
            at = next;
        }
        return to > from && longest <= MAX_GAP * (to - from);
    }

    private long milli(double secondsOfMeasurement) {
        return Math.max(0, Math.round(1e3 * (secondsOfMeasurement + start / NANOS)));
    }
}
