package io.pgstress.runner;

import io.pgstress.measure.Cell;
import io.pgstress.measure.IntervalData;
import io.pgstress.measure.LatencyHistogram;
import io.pgstress.measure.Outcome;
import io.pgstress.measure.Phase;
import io.pgstress.measure.SuccessTimes;
import io.pgstress.measure.Time;
import io.pgstress.measure.Timeline;
import io.pgstress.operation.OperationProfile.OperationTrait;
import io.pgstress.plan.RunLoadOptions;
import io.pgstress.plan.ThinkTime;
import io.pgstress.result.Latency;
import io.pgstress.result.Network;
import io.pgstress.result.NodeResult;
import io.pgstress.result.OperationResult;
import io.pgstress.target.Node;
import io.pgstress.target.statement.Sql;
import io.pgstress.verdict.AnswerTimes;
import io.pgstress.verdict.LittlesLaw;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Computes parts of the result from what the clients recorded. Belongs to the run's thread, after the load. */
public final class RecordedFigures {
    /** The times of each operation, by their names in results. The lag covers all operations. */
    private static final List<Time> REPORTED =
            List.of(Time.TOTAL, Time.ACQUIRE, Time.SERVICE, Time.FETCH, Time.RESPONSE, Time.FAILED);

    private final RunContext run;
    private final Clients clients;
    private final Timeline timeline;
    private final double seconds;

    /** What was recorded of each operation on all nodes. */
    private final List<Cell> totals;

    private final Map<String, OperationResult> operations;

    RecordedFigures(RunContext run, Clients clients) {
        this.run = run;
        this.clients = clients;
        this.timeline = run.timeline();
        this.seconds = hasMeasured() ? (timeline.measureEnd() - timeline.measureStart()) / 1e9 : 0;
        this.totals = IntStream.range(0, timeline.shapes().size())
                .mapToObj(timeline::total)
                .toList();
        this.operations = byOperation(-1);
    }

    private boolean hasMeasured() {
        return timeline.measureStart() != Long.MAX_VALUE;
    }

    /** Duration of the measurement in seconds. */
    public double seconds() {
        return seconds;
    }

    double warmupSeconds() {
        return hasMeasured() ? Math.max(0, timeline.measureStart() - timeline.origin()) / 1e9 : 0;
    }

    /** The clients, after the load. */
    public Clients clients() {
        return clients;
    }

    /** Results by operation, over all nodes and the whole run. */
    public Map<String, OperationResult> operations() {
        return operations;
    }

    /** Successful operations that ended within the measurement. */
    public long okInTime() {
        return inWindow(cell -> cell.completed(Outcome.OK));
    }

    /** Operations with any outcome that ended within the measurement. */
    public long endedInTime() {
        return inWindow(Cell::completed);
    }

    /** The mean latency of an operation in microseconds, including the wait for a connection. */
    public double meanMicros() {
        return sum(Time.TOTAL).meanMicros();
    }

    /** The shortest latency of an operation in microseconds, including the wait for a connection; 0 if none was answered. */
    public double leastMicros() {
        return sum(Time.TOTAL).minMicros();
    }

    private static double usualMicros(@Nullable LatencyHistogram acquire, @Nullable LatencyHistogram service) {
        return (acquire == null ? 0 : acquire.micros(50)) + (service == null ? 0 : service.micros(50));
    }

    /** When operations were answered, and their usual latencies, which exclude unfinished operations. */
    AnswerTimes answers() {
        if (!hasMeasured()) {
            return AnswerTimes.NONE;
        }
        Map<String, SuccessTimes> byNode = new LinkedHashMap<>();
        for (int n = 0; n < run.target().nodes().size(); n++) {
            byNode.merge(
                    run.target().nodes().get(n).url(),
                    timeline.successes(n),
                    (a, b) -> SuccessTimes.together(List.of(a, b)));
        }
        long[] usual = IntStream.range(0, timeline.shapes().size())
                .mapToLong(o -> Math.round(1e3 * usualMicros(o)))
                .toArray();
        long start = timeline.measureStart() - timeline.origin();
        return new AnswerTimes(byNode, usual, start, timeline.measureEnd() - timeline.origin());
    }

    /** The usual latency of an operation; if one of many also builds indexes, of all its statements. */
    private double usualMicros(int operation) {
        Cell cell = totals.get(operation);
        double median = usualMicros(cell.times(Time.ACQUIRE), cell.times(Time.SERVICE));
        if (!run.operations().get(operation).profile().has(OperationTrait.DEFINES_TABLES)) {
            return median;
        }
        double all = 0;
        for (int s = 0; s < timeline.shapes().get(operation).statements().size(); s++) {
            LatencyHistogram times = cell.statement(s).times();
            all += times == null ? 0 : times.micros(50);
        }
        return Math.max(median, all);
    }

    /** Pauses between operations count with their mean. Their chance deviation from it is added to the deviation at the edges. */
    LittlesLaw littlesLaw(int clients) {
        ThinkTime think = run.spec().get(RunLoadOptions.THINK);
        double pause = think.nanos() / 1e9;
        long ended = endedInTime();
        double deviation = pause * (clients + (think.isExponential() ? 3 * Math.sqrt((double) ended) : 0));
        LatencyHistogram times = sum(Time.TOTAL);
        times.add(sum(Time.FAILED)); // misses and duplicates included
        boolean isLeastMean = operations.values().stream().anyMatch(operation -> operation.unfinished() > 0);
        return new LittlesLaw(
                clients,
                seconds,
                ended,
                times.count(),
                times.meanMicros() / 1e6 + pause,
                isLeastMean,
                secondsAtEdges() + deviation);
    }

    /** The latencies of all operations together. */
    LatencyHistogram sum(Time time) {
        LatencyHistogram sum = new LatencyHistogram();
        times(time).values().forEach(sum::add);
        return sum;
    }

    /** The durations of operations, by the number of the operation, without those that were not recorded. */
    Map<Integer, LatencyHistogram> times(Time time) {
        Map<Integer, LatencyHistogram> times = new TreeMap<>();
        for (int o = 0; o < timeline.shapes().size(); o++) {
            LatencyHistogram of = totals.get(o).times(time);
            if (of != null) {
                times.put(o, of);
            }
        }
        return times;
    }

    /**
     * Results by node.
     *
     * @param traffic of each node, in their order
     */
    List<NodeResult> nodes(List<Network> traffic) {
        List<NodeResult> results = new ArrayList<>();
        for (int n = 0; n < run.target().nodes().size(); n++) {
            Node node = run.target().nodes().get(n);
            results.add(new NodeResult(
                    node.url(),
                    node.clients(),
                    byOperation(n),
                    traffic.get(n),
                    clients.operations(n),
                    clients.reached(n)));
        }
        return results;
    }

    /** @param node the node's number; below 0: all nodes */
    private Map<String, OperationResult> byOperation(int node) {
        Map<String, OperationResult> results = new LinkedHashMap<>();
        for (int o = 0; o < timeline.shapes().size(); o++) {
            Cell total = node < 0 ? totals.get(o) : timeline.total(node, o);
            results.put(timeline.shapes().get(o).name(), operation(total, o, inWindow(node, o), node));
        }
        return results;
    }

    /** Operations that ended within the measurement, whenever they started: the basis of rates. */
    private Cell inWindow(int node, int operation) {
        IntervalData drain = timeline.intervals(Phase.DRAIN).get(0);
        return node < 0
                ? totals.get(operation).minusCounts(drain.operation(operation))
                : timeline.total(node, operation).minusCounts(drain.operation(node, operation));
    }

    /** The sum of a count over the operations. */
    private long inWindow(ToLongFunction<Cell> count) {
        return IntStream.range(0, timeline.shapes().size())
                .mapToLong(o -> count.applyAsLong(inWindow(-1, o)))
                .sum();
    }

    /** Upper bound of the duration, in seconds, of operations that were in progress at the start or end of the measurement. */
    private double secondsAtEdges() {
        double sum = 0;
        for (int o = 0; o < timeline.shapes().size(); o++) {
            sum += totals.get(o).carriedNanos() / 1e9;
            Cell drain = timeline.intervals(Phase.DRAIN).get(0).operation(o);
            LatencyHistogram total = drain.times(Time.TOTAL);
            LatencyHistogram failed = drain.times(Time.FAILED);
            sum += (total == null ? 0 : total.meanMicros() * total.count() / 1e6)
                    + (failed == null ? 0 : failed.meanMicros() * failed.count() / 1e6);
        }
        return sum;
    }

    private static Map<String, OperationResult.ErrorCount> errorCounts(Map<String, Cell.ErrorTally> tallies) {
        Map<String, OperationResult.ErrorCount> errors = new LinkedHashMap<>();
        tallies.forEach((state, e) -> errors.put(state, errorCount(e)));
        return errors;
    }

    private static OperationResult.ErrorCount errorCount(Cell.ErrorTally errors) {
        Map<String, Long> messages = new TreeMap<>();
        errors.messages().forEach((text, message) -> messages.put(text, message.count()));
        return new OperationResult.ErrorCount(
                errors.count(), errors.byCount().get(0).sample(), messages);
    }

    private OperationResult operation(Cell cell, int operation, Cell inTime, int node) {
        double rowBytes = run.runOperations().rowBytes(operation);
        Map<String, Latency> latency = new LinkedHashMap<>();
        for (Time time : REPORTED) {
            Latency known = Latency.ofAny(cell.times(time));
            if (known != null) {
                latency.put(time.name().toLowerCase(Locale.ROOT), known);
            }
        }
        return new OperationResult(
                cell.count(Outcome.OK),
                inTime.completed(Outcome.OK),
                cell.count(Outcome.MISS),
                cell.count(Outcome.DUPLICATE),
                cell.retries(),
                cell.late(),
                cell.count(Outcome.UNFINISHED),
                cell.rows(),
                errorCounts(cell.errors()),
                errorCounts(cell.retried()),
                seconds == 0 ? 0 : inTime.completed(Outcome.OK) / seconds,
                seconds == 0 ? 0 : inTime.completedRows() / seconds,
                rowBytes == 0 || seconds == 0
                        ? null
                        : Double.valueOf(inTime.completedRows() * rowBytes / seconds / 1e6),
                statements(cell, operation, node),
                latency);
    }

    private Map<String, OperationResult.StatementResult> statements(Cell cell, int operation, int node) {
        Map<String, OperationResult.StatementResult> results = new LinkedHashMap<>();
        List<String> names = timeline.shapes().get(operation).statements();
        List<Sql> sent = run.operations().get(operation).statements(0);
        for (int s = 0; s < names.size(); s++) {
            int statement = s;
            long inAll = IntStream.range(0, run.target().nodes().size())
                    .filter(n -> node < 0 || n == node)
                    .mapToLong(n -> clients.calls(n, operation, statement))
                    .sum();
            String sql = s < sent.size() ? sent.get(s).text() : "commit";
            results.put(
                    names.get(s),
                    new OperationResult.StatementResult(
                            sql,
                            cell.statement(s).calls(),
                            inAll,
                            cell.statement(s).rows(),
                            Latency.ofAny(cell.statement(s).times())));
        }
        return results;
    }
}
