package io.pgstress.verdict;

import io.pgstress.measure.SuccessTimes;
import io.pgstress.result.Outage;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** When the operations of a run were answered, on each node and on all together. Immutable. */
public final class AnswerTimes {
    /** Nothing is known of any operation. */
    public static final AnswerTimes NONE = new AnswerTimes(Map.of(), new long[0], 0, 0);

    private static final double NANOS = 1e9;

    /** The longest time without an answer, as a share of a server's silence, in which its operations went on. */
    private static final double MAX_GAP = 0.5;

    private final Map<String, SuccessTimes> byNode;
    private final long[] usual;
    private final long start;
    private final long end;

    /**
     * @param byNode by the URL of a node
     * @param usualNanos by operation, what it usually takes
     * @param startNanos of the measurement, since the start of the load, pauses excluded
     * @param endNanos of the measurement, likewise
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

    /** The outages of all nodes together, and of each where there are several. */
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

    /** What made the longest operations long. */
    LongTimes longTimes(List<Suspect> suspects) {
        return new LongTimes(together().waits(), usual, start, end, suspects);
    }

    /** Whether operations on a server were answered while its checks were not: the server was there, its control connection was not. */
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
