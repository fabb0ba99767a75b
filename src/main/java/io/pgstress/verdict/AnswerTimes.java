package io.pgstress.verdict;

import io.pgstress.measure.SuccessTimes;
import io.pgstress.measure.SuccessTimes.LongWait;
import io.pgstress.result.Outage;
import io.pgstress.verdict.LongTimes.Suspect;
import io.pgstress.verdict.LongTimes.WaitOfOthers;
import io.pgstress.verdict.SilentServers.Silence;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** When a run's operations were answered, per node and overall. Immutable. */
public final class AnswerTimes {
    /** No data. */
    public static final AnswerTimes NONE = new AnswerTimes(Map.of(), new long[0], 0, 0);

    private static final double NANOS = 1e9;
    private static final long MILLI = 1_000_000;

    /** A gap between answers, or a delay of an operation, of at most this share of a server's silence is not due to it. */
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
        for (int o = 0; o < usual.length; o++) {
            if (usual[o] == 0) {
                usual[o] = median(o);
            }
        }
        this.start = startNanos;
        this.end = endNanos;
    }

    /** The median of an operation's long times, which are all that is known if none began and ended within the measurement; 0 if none was answered. */
    private long median(int operation) {
        long[] known = byNode.values().stream()
                .flatMap(times -> times.waits().stream())
                .filter(w -> w.operation() == operation && w.isAnswered() && w.failed() == 0)
                .mapToLong(LongWait::longest)
                .sorted()
                .toArray();
        return known.length == 0 ? 0 : known[known.length / 2];
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

    /** The stalls of all nodes together, also those that are too short for an outage. */
    List<Outage> stalls() {
        return of(together()).stalls();
    }

    private Outages of(SuccessTimes times) {
        return new Outages(times, usual, start, end);
    }

    /** Whether an operation failed in a period, in seconds from the start of the measurement. */
    boolean hasFailures(double from, double to) {
        return waits(together(), milli(from), milli(to)).anyMatch(wait -> wait.failed() > 0);
    }

    /** The causes of the longest operations. */
    LongTimes longTimes(List<Suspect> suspects, WaitOfOthers waitOfOthers) {
        return new LongTimes(together().waits(), usual, start, end, suspects, waitOfOthers);
    }

    /**
     * Whether operations on a server continued while its checks were unanswered, so that only its control connection was lost. They
     * did if no gap between their answers is longer than half of the silence. They also did if, in that gap, none failed or was
     * delayed by half of the silence, and around the middle of the silence an operation was answered, or was in progress and
     * succeeded later. Without any operation there, nothing is known.
     */
    boolean wentOn(Silence silence) {
        SuccessTimes times = silence.url() == null ? null : byNode.get(silence.url());
        long from = milli(silence.asked());
        long to = milli(silence.to());
        if (times == null || to <= from) {
            return false;
        }
        long length = to - from;
        for (long at = from; at < to; ) {
            long next = Math.min(to, times.next(at + 1));
            if (next - at > MAX_GAP * length) {
                return waits(times, at, next).noneMatch(w -> isDelayed(w, length))
                        && hasWorked(times, from + length / 4, to - length / 4);
            }
            at = next;
        }
        return true;
    }

    /** The waits that were in progress in a period. */
    private static Stream<LongWait> waits(SuccessTimes times, long fromMilli, long toMilli) {
        return times.waits().stream().filter(w -> w.since() < toMilli * MILLI && w.end() > fromMilli * MILLI);
    }

    private boolean isDelayed(LongWait wait, long silentMillis) {
        return wait.failed() > 0
                || !wait.isAnswered()
                || wait.longest() - usual[wait.operation()] >= MAX_GAP * silentMillis * MILLI;
    }

    private static boolean hasWorked(SuccessTimes times, long fromMilli, long toMilli) {
        return times.next(fromMilli) < toMilli
                || waits(times, fromMilli, toMilli).anyMatch(w -> w.failed() == 0 && w.isAnswered());
    }

    private long milli(double secondsOfMeasurement) {
        return Math.max(0, Math.round(1e3 * (secondsOfMeasurement + start / NANOS)));
    }
}
