package io.pgstress.verdict;

import io.pgstress.measure.ClientRecorder;
import io.pgstress.measure.IntervalGrid;
import io.pgstress.measure.OperationShape;
import io.pgstress.measure.Outcome;
import io.pgstress.measure.SuccessTimes;
import io.pgstress.measure.SuccessTimes.LongWait;
import io.pgstress.measure.Timeline;
import io.pgstress.result.Outage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A run whose operations end at times that a test chooses, in milliseconds; the measurement starts after one second. */
final class PlayedRun {
    static final long MILLI = 1_000_000;
    static final long WARMUP = 1_000;

    final Timeline timeline;
    private final List<ClientRecorder> clients = new ArrayList<>();
    private final long length;
    private final long usual;

    /**
     * @param length of the measurement
     * @param usual time of an operation
     * @param nodes of each client
     */
    PlayedRun(long length, long usual, int... nodes) {
        this(false, length, usual, nodes);
    }

    /** @param expectsMisses whether misses are ordinary outcomes of its operation */
    PlayedRun(boolean expectsMisses, long length, long usual, int... nodes) {
        this.length = length;
        this.usual = usual;
        int last = 0;
        for (int node : nodes) {
            last = Math.max(last, node);
        }
        timeline = new Timeline(
                IntervalGrid.of(1_000 * MILLI),
                List.of(new OperationShape("op", List.of("s"), expectsMisses)),
                last + 1);
        timeline.start(0);
        timeline.measure(WARMUP * MILLI, (WARMUP + length) * MILLI);
        for (int node : nodes) {
            clients.add(new ClientRecorder(timeline, node, 0));
        }
    }

    /** An operation of a client, since the start of the measurement. */
    PlayedRun operation(int client, Outcome outcome, long start, long end) {
        return at(client, outcome, (start + WARMUP) * MILLI, (end + WARMUP) * MILLI);
    }

    private PlayedRun at(int client, Outcome outcome, long start, long end) {
        ClientRecorder recorder = clients.get(client);
        recorder.begin(start);
        recorder.end(0, outcome, false, start, start, 0, end, 0, 0);
        return this;
    }

    /** A client waits until then to connect again. */
    PlayedRun waitsToConnect(int client, long until) {
        clients.get(client).triedUntil((until + WARMUP) * MILLI);
        return this;
    }

    /** A client runs operations of one millisecond one after another. */
    PlayedRun busy(int client, long from, long to) {
        for (long at = from; at < to; at++) {
            operation(client, Outcome.OK, at, at + 1);
        }
        return this;
    }

    SuccessTimes times(int node) {
        clients.forEach(ClientRecorder::flush);
        return timeline.successes(node);
    }

    List<LongWait> waits() {
        return times(0).waits();
    }

    long[] usualNanos() {
        return new long[] {usual * MILLI};
    }

    /** The operations of this node. */
    List<Outage> outages(int node) {
        return outages(times(node), "node " + node);
    }

    /** The operations of all nodes together. */
    List<Outage> outages() {
        List<SuccessTimes> all = new ArrayList<>();
        int last = clients.stream().mapToInt(ClientRecorder::node).max().orElse(0);
        for (int n = 0; n <= last; n++) {
            all.add(times(n));
        }
        return outages(SuccessTimes.together(all), null);
    }

    /** The operations of the first node, by this URL. */
    AnswerTimes answers(String url) {
        return new AnswerTimes(Map.of(url, times(0)), usualNanos(), WARMUP * MILLI, (WARMUP + length) * MILLI);
    }

    /** The stalls of the first node, of any length. */
    List<Outage> stalls() {
        return found(times(0)).stalls();
    }

    private List<Outage> outages(SuccessTimes times, String node) {
        return found(times).find(node);
    }

    private Outages found(SuccessTimes times) {
        return new Outages(times, usualNanos(), WARMUP * MILLI, (WARMUP + length) * MILLI);
    }
}
