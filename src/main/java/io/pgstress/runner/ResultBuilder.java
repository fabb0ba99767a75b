package io.pgstress.runner;

import io.pgstress.dataset.Table;
import io.pgstress.measure.Cell;
import io.pgstress.measure.IntervalData.Phase;
import io.pgstress.measure.LatencyHistogram;
import io.pgstress.measure.Outcome;
import io.pgstress.measure.Time;
import io.pgstress.measure.Timeline;
import io.pgstress.operation.Afterwards;
import io.pgstress.plan.ClientThreads;
import io.pgstress.plan.Load;
import io.pgstress.plan.RunSpec;
import io.pgstress.result.IntervalResult;
import io.pgstress.result.Latency;
import io.pgstress.result.OperationResult;
import io.pgstress.result.RunResult;
import io.pgstress.result.RunResult.Outage;
import io.pgstress.result.ServerProfile;
import io.pgstress.target.Node;
import io.pgstress.target.Target;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Makes a {@link RunResult} of what was recorded. */
final class ResultBuilder {
    private final RunSpec spec;
    private final Target target;
    private final Table table;
    private final Preparation preparation;
    private final Timeline timeline;
    private final Intervals intervals;
    private final Snapshots snapshots;
    private final double seconds;

    ResultBuilder(
            RunSpec spec,
            Target target,
            Table table,
            Preparation preparation,
            Timeline timeline,
            Intervals intervals,
            Snapshots snapshots) {
        this.spec = spec;
        this.target = target;
        this.table = table;
        this.preparation = preparation;
        this.timeline = timeline;
        this.intervals = intervals;
        this.snapshots = snapshots;
        long start = timeline.measureStart();
        this.seconds = start == Long.MAX_VALUE ? 0 : (timeline.measureEnd() - start) / 1e9;
    }

    RunResult build(
            Crew crew,
            ServerWatch watch,
            ClusterWatch cluster,
            RunPlans plans,
            Halt halt,
            Stop.@Nullable Reason reason,
            @Nullable Schedule schedule,
            ClientThreads kind,
            Instant started,
            double drained)
            throws InterruptedException {
        List<IntervalResult> all = intervals.all(drained);
        Map<String, OperationResult> operations = operations(crew);
        List<String> urls = target.nodes().stream().map(Node::url).toList();
        List<Outage> outages = new Outages(
                        spec.phases().interval().toNanos() / 1e9,
                        sum(Time.TOTAL).micros(50) / 1e6)
                .find(all, urls);
        Long backlog = schedule == null ? null : lastBacklog(all);
        Validity validity = new Validity();
        validity.reason(reason);
        int cpus = Runtime.getRuntime().availableProcessors();
        validity.machine(snapshots, cpus, seconds, HostFacts.sharesHost(target));
        validity.operations(spec, operations);
        validity.rate(due(operations), seconds, backlog);
        validity.canary(crew.canary());
        validity.stalls(spec, outages, sum(Time.TOTAL), all);
        validity.warmup(spec.phases(), warmupSeconds());
        validity.trend(spec, outages, all);
        validity.unfinished(operations.values().stream()
                .mapToLong(OperationResult::unfinished)
                .sum());
        ServerProfile profile = cluster.added(watch.finish(), plans, operations, crew.planCounts());
        validity.nodes(cluster.silences());
        List<Afterwards> afterwards = preparation.check(watch.answers() && cluster.isWhole());
        validity.afterwards(afterwards);
        return new RunResult(
                RunResult.SCHEMA,
                HostFacts.tool(),
                HostFacts.run(spec, started, phases(drained, crew), reason != null),
                HostFacts.client(kind, crew.pools().get(0).settings(), snapshots, okOf(operations)),
                servers(watch, cluster),
                HostFacts.dataset(table, rows(watch, cluster), afterwards),
                operations,
                outages,
                schedule == null ? null : Latency.of(sum(Time.LAG)),
                backlog,
                new RunResult.Halts(halt.count(), halt.seconds(), halt.measuredAt()),
                profile,
                nodes(crew),
                all,
                snapshots.network(seconds),
                validity.isValid(),
                validity.warnings());
    }

    /** The rows that the table has now; -1: unknown, as counting them would wait for a server that does not answer. */
    private long rows(ServerWatch watch, ClusterWatch cluster) throws InterruptedException {
        return cluster.isWhole() ? watch.ask(() -> HostFacts.rows(target, table), -1L) : -1L;
    }

    private List<RunResult.Server> servers(ServerWatch watch, ClusterWatch cluster) throws InterruptedException {
        Double load = watch.loadAverage();
        return watch.ask(() -> HostFacts.servers(target, spec, cluster, load), List.of());
    }

    private static @Nullable Long lastBacklog(List<IntervalResult> all) {
        Long last = null;
        for (IntervalResult interval : all) {
            last = interval.phase().equals("measure") ? interval.backlog() : last;
        }
        return last;
    }

    private List<RunResult.PhaseLength> phases(double drained, Crew crew) {
        List<RunResult.PhaseLength> phases = new ArrayList<>();
        phases.add(new RunResult.PhaseLength("warmup", warmupSeconds()));
        phases.add(new RunResult.PhaseLength("measure", seconds));
        phases.add(new RunResult.PhaseLength("drain", crew.clients().isEmpty() ? 0 : drained));
        return phases;
    }

    private double warmupSeconds() {
        long start = timeline.measureStart();
        return start == Long.MAX_VALUE ? 0 : Math.max(0, start - timeline.origin()) / 1e9;
    }

    /** How many operations were due within the measurement, or began in it where the load is closed. */
    private static long due(Map<String, OperationResult> operations) {
        return operations.values().stream()
                .mapToLong(o -> o.ok() + o.misses() + o.duplicates() + o.failed() + o.unfinished())
                .sum();
    }

    private static long okOf(Map<String, OperationResult> operations) {
        return operations.values().stream().mapToLong(OperationResult::ok).sum();
    }

    private LatencyHistogram sum(Time time) {
        LatencyHistogram sum = new LatencyHistogram();
        for (int o = 0; o < timeline.shapes().size(); o++) {
            LatencyHistogram h = timeline.total(o).times(time);
            if (h != null) {
                sum.add(h);
            }
        }
        return sum;
    }

    private Map<String, OperationResult> operations(Crew crew) {
        Map<String, OperationResult> results = new LinkedHashMap<>();
        for (int o = 0; o < timeline.shapes().size(); o++) {
            results.put(timeline.shapes().get(o).name(), operation(timeline.total(o), o, okInTime(-1, o), crew, -1));
        }
        return results;
    }

    private List<RunResult.NodeResult> nodes(Crew crew) {
        List<RunResult.NodeResult> results = new ArrayList<>();
        for (int n = 0; n < target.nodes().size(); n++) {
            Node node = target.nodes().get(n);
            Map<String, OperationResult> operations = new LinkedHashMap<>();
            for (int o = 0; o < timeline.shapes().size(); o++) {
                operations.put(
                        timeline.shapes().get(o).name(), operation(timeline.total(n, o), o, okInTime(n, o), crew, n));
            }
            results.add(
                    new RunResult.NodeResult(node.url(), node.clients(), operations, snapshots.network(n, seconds)));
        }
        return results;
    }

    /**
     * What counts for the rate: in a closed load all that started in time, in an open one what also ended in time, as the
     * backlog that the drain works off was not achieved within the measurement.
     */
    private Cell okInTime(int node, int operation) {
        Cell sum = node < 0 ? timeline.total(operation) : timeline.total(node, operation);
        if (spec.load() instanceof Load.Closed) {
            return sum;
        }
        Cell drain = node < 0
                ? timeline.intervals(Phase.DRAIN).get(0).operation(operation)
                : timeline.intervals(Phase.DRAIN).get(0).operation(node, operation);
        return sum.minusCounts(drain);
    }

    private OperationResult operation(Cell cell, int operation, Cell inTime, Crew crew, int node) {
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
                cell.count(Outcome.MISS),
                cell.count(Outcome.DUPLICATE),
                cell.retries(),
                cell.late(),
                cell.count(Outcome.UNFINISHED),
                cell.rows(),
                errors,
                seconds == 0 ? 0 : inTime.count(Outcome.OK) / seconds,
                seconds == 0 ? 0 : inTime.rows() / seconds,
                rowBytes == 0 || seconds == 0 ? null : Double.valueOf(inTime.rows() * rowBytes / seconds / 1e6),
                statements(cell, operation, crew, node),
                latency);
    }

    private static void putTime(Map<String, Latency> latency, String name, @Nullable LatencyHistogram histogram) {
        if (histogram != null) {
            latency.put(name, Latency.of(histogram));
        }
    }

    private Map<String, OperationResult.StatementResult> statements(Cell cell, int operation, Crew crew, int node) {
        Map<String, OperationResult.StatementResult> results = new LinkedHashMap<>();
        List<String> names = timeline.shapes().get(operation).statements();
        for (int s = 0; s < names.size(); s++) {
            int statement = s;
            long inAll = crew.clients().stream()
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
