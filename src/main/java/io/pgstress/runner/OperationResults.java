package io.pgstress.runner;

import io.pgstress.measure.Cell;
import io.pgstress.measure.IntervalData;
import io.pgstress.measure.IntervalData.Phase;
import io.pgstress.measure.LatencyHistogram;
import io.pgstress.measure.Outcome;
import io.pgstress.measure.Time;
import io.pgstress.measure.Timeline;
import io.pgstress.result.Latency;
import io.pgstress.result.NodeResult;
import io.pgstress.result.OperationResult;
import io.pgstress.target.Node;
import io.pgstress.target.Target;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What became of the operations, in all and on each node, as it was recorded. */
final class OperationResults {
    private final Preparation preparation;
    private final Timeline timeline;
    private final double seconds;

    /** @param seconds that were measured */
    OperationResults(Preparation preparation, Timeline timeline, double seconds) {
        this.preparation = preparation;
        this.timeline = timeline;
        this.seconds = seconds;
    }

    /** The times of all operations together. */
    LatencyHistogram sum(Time time) {
        LatencyHistogram sum = new LatencyHistogram();
        for (int o = 0; o < timeline.shapes().size(); o++) {
            LatencyHistogram h = timeline.total(o).times(time);
            if (h != null) {
                sum.add(h);
            }
        }
        return sum;
    }

    /** By operation, over all nodes. */
    Map<String, OperationResult> all(Clients clients) {
        Map<String, OperationResult> results = new LinkedHashMap<>();
        for (int o = 0; o < timeline.shapes().size(); o++) {
            results.put(timeline.shapes().get(o).name(), operation(timeline.total(o), o, inWindow(-1, o), clients, -1));
        }
        return results;
    }

    /** By node. */
    List<NodeResult> nodes(Target target, Snapshots snapshots, Clients clients) {
        List<NodeResult> results = new ArrayList<>();
        for (int n = 0; n < target.nodes().size(); n++) {
            Node node = target.nodes().get(n);
            Map<String, OperationResult> operations = new LinkedHashMap<>();
            for (int o = 0; o < timeline.shapes().size(); o++) {
                operations.put(
                        timeline.shapes().get(o).name(),
                        operation(timeline.total(n, o), o, inWindow(n, o), clients, n));
            }
            results.add(new NodeResult(node.url(), node.clients(), operations, snapshots.network(n, seconds)));
        }
        return results;
    }

    /** What ended within the measurement, whenever it began: what rates are made of. */
    private Cell inWindow(int node, int operation) {
        IntervalData drain = timeline.intervals(Phase.DRAIN).get(0);
        return node < 0
                ? timeline.total(operation).minusCounts(drain.operation(operation))
                : timeline.total(node, operation).minusCounts(drain.operation(node, operation));
    }

    /** Operations of any outcome that ended within the measurement. */
    long endedInWindow() {
        long ended = 0;
        for (int o = 0; o < timeline.shapes().size(); o++) {
            ended += inWindow(-1, o).completed();
        }
        return ended;
    }

    /** Seconds that operations lasted which were under way at the start or the end of the measurement; an upper bound. */
    double secondsAtEdges() {
        double seconds = 0;
        for (int o = 0; o < timeline.shapes().size(); o++) {
            seconds += timeline.total(o).carriedNanos() / 1e9;
            Cell drain = timeline.intervals(Phase.DRAIN).get(0).operation(o);
            LatencyHistogram total = drain.times(Time.TOTAL);
            LatencyHistogram failed = drain.times(Time.FAILED);
            seconds += (total == null ? 0 : total.meanMicros() * total.count() / 1e6)
                    + (failed == null ? 0 : failed.meanMicros() * failed.count() / 1e6);
        }
        return seconds;
    }

    private OperationResult operation(Cell cell, int operation, Cell inTime, Clients clients, int node) {
        double rowBytes = timeline.shapes().get(operation).rowBytes();
        Map<String, OperationResult.ErrorCount> errors = new LinkedHashMap<>();
        cell.errors().forEach((state, e) -> errors.put(state, new OperationResult.ErrorCount(e.count(), e.sample())));
        Map<String, Latency> latency = new LinkedHashMap<>();
        putTime(latency, "total", cell.times(Time.TOTAL));
        putTime(latency, "acquire", cell.times(Time.ACQUIRE));
        putTime(latency, "service", cell.times(Time.SERVICE));
        putTime(latency, "fetch", cell.times(Time.FETCH));
        putTime(latency, "response", cell.times(Time.RESPONSE));
        putTime(latency, "failed", cell.times(Time.FAILED));
        return new OperationResult(
                cell.count(Outcome.OK),
                inTime.completed(Outcome.OK),
                cell.count(Outcome.MISS),
                cell.count(Outcome.DUPLICATE),
                cell.retries(),
                cell.late(),
                cell.count(Outcome.UNFINISHED),
                cell.rows(),
                errors,
                seconds == 0 ? 0 : inTime.completed(Outcome.OK) / seconds,
                seconds == 0 ? 0 : inTime.completedRows() / seconds,
                rowBytes == 0 || seconds == 0
                        ? null
                        : Double.valueOf(inTime.completedRows() * rowBytes / seconds / 1e6),
                statements(cell, operation, clients, node),
                latency);
    }

    private static void putTime(Map<String, Latency> latency, String name, @Nullable LatencyHistogram histogram) {
        if (histogram != null) {
            latency.put(name, Latency.of(histogram));
        }
    }

    private Map<String, OperationResult.StatementResult> statements(
            Cell cell, int operation, Clients clients, int node) {
        Map<String, OperationResult.StatementResult> results = new LinkedHashMap<>();
        List<String> names = timeline.shapes().get(operation).statements();
        for (int s = 0; s < names.size(); s++) {
            int statement = s;
            long inAll = clients.all().stream()
                    .filter(c -> node < 0 || c.recorder().node() == node)
                    .mapToLong(c -> c.recorder().calls(operation, statement))
                    .sum();
            boolean commit = s >= preparation.statements().get(operation).size();
            String sql = commit
                    ? "commit"
                    : preparation.statements().get(operation).get(s).text();
            LatencyHistogram times = cell.statement(s).times();
            results.put(
                    names.get(s),
                    new OperationResult.StatementResult(
                            sql,
                            cell.statement(s).calls(),
                            inAll,
                            cell.statement(s).rows(),
                            times == null ? null : Latency.of(times)));
        }
        return results;
    }
}
