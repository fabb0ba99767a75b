package io.pgstress.runner;

import io.pgstress.dataset.Table;
import io.pgstress.measure.LatencyHistogram;
import io.pgstress.measure.SuccessTimes;
import io.pgstress.measure.Time;
import io.pgstress.measure.Timeline;
import io.pgstress.operation.PostRunCheck;
import io.pgstress.plan.ClientThreads;
import io.pgstress.plan.RunSpec;
import io.pgstress.result.IntervalResult;
import io.pgstress.result.Latency;
import io.pgstress.result.OperationResult;
import io.pgstress.result.Outage;
import io.pgstress.result.Pauses;
import io.pgstress.result.RateStep;
import io.pgstress.result.RunInfo;
import io.pgstress.result.RunResult;
import io.pgstress.result.ServerInfo;
import io.pgstress.result.ServerProfile;
import io.pgstress.target.Target;
import io.pgstress.verdict.ClientTurns;
import io.pgstress.verdict.Judge;
import io.pgstress.verdict.LittlesLaw;
import io.pgstress.verdict.LongTimes;
import io.pgstress.verdict.Outages;
import io.pgstress.verdict.Silence;
import io.pgstress.verdict.SilentServers;
import io.pgstress.verdict.Suspect;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Makes a {@link RunResult} of what was recorded. */
final class ResultBuilder {
    private final RunSpec spec;
    private final Target target;
    private final Table table;
    private final Timeline timeline;
    private final Intervals intervals;
    private final Snapshots snapshots;
    private final double seconds;
    private final OperationResults recorded;

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
        this.timeline = timeline;
        this.intervals = intervals;
        this.snapshots = snapshots;
        long start = timeline.measureStart();
        this.seconds = start == Long.MAX_VALUE ? 0 : (timeline.measureEnd() - start) / 1e9;
        this.recorded = new OperationResults(preparation, timeline, seconds);
    }

    RunResult build(
            Clients clients,
            ServerWatch watch,
            ClusterWatch cluster,
            PostRunChecks look,
            RunPlans plans,
            List<String> hazards,
            Pause pause,
            @Nullable Schedule schedule,
            ClientThreads kind,
            Instant started,
            RunEnd end)
            throws InterruptedException {
        List<IntervalResult> all = intervals.all(end.drainSeconds());
        Map<String, OperationResult> operations = recorded.all(clients);
        double usualMicros = usualMicros(recorded.sum(Time.ACQUIRE), recorded.sum(Time.SERVICE));
        ClientTurns turns = clients.turns(okInTime(all), usualMicros);
        List<Outage> met = outages();
        List<RateStep> steps = intervals.rateSteps();
        Validity validity = new Validity();
        ClientChecks client = new ClientChecks(validity);
        LoadChecks load = new LoadChecks(validity);
        OutcomeChecks outcomes = new OutcomeChecks(validity);
        hazards.forEach(hazard -> validity.warn("%s", hazard));
        validity.reason(end.reason());
        target.nodes().forEach(node -> node.cautions().forEach(caution -> validity.warn("%s", caution)));
        int cpus = Runtime.getRuntime().availableProcessors();
        client.readings(snapshots.seconds(), seconds);
        client.clock(snapshots.wallClockAhead(), seconds);
        if (isClosedAndBusy(pause, schedule, end)) {
            client.busy(
                    littlesLaw(clients.all().size()),
                    operations.values().stream().anyMatch(o -> o.failed() > 0));
        }
        outcomes.operations(spec, operations);
        outcomes.emptyHanded(operations);
        load.halts(pause.countMeasured(), ended(operations), clients.all().size());
        load.rate(due(operations), recorded.endedInWindow(), seconds, steps, end.backlog());
        client.turns(turns);
        load.warmup(end.warmupCut(), warmupSeconds());
        outcomes.unfinished(
                operations.values().stream()
                        .mapToLong(OperationResult::unfinished)
                        .sum(),
                end.hung());
        cluster.finish(plans);
        ServerProfile profile = cluster.added(watch.finish(), plans, operations, clients.planCounts());
        List<Silence> silences = cluster.silences();
        SilentServers silent = new SilentServers(met, silences);
        List<Outage> outages = silent.outages();
        load.stalls(spec, outages, recorded.sum(Time.TOTAL), all);
        longTimes(clients, cluster).forEach(words -> validity.warn("%s", words));
        outcomes.nodes(
                silences, silent, cluster.size(), target.dialect().topology().silentTogether());
        List<PostRunCheck> afterwards = afterwards(look, watch, cluster);
        outcomes.afterwards(afterwards);
        client.machine(
                snapshots.cpuCores(),
                cpus,
                turns,
                seconds > 0 ? snapshots.gcSeconds() / seconds : 0,
                snapshots.machineBusy(),
                HostFacts.sharesHost(target));
        return Judge.judged(new RunResult(
                RunResult.SCHEMA,
                HostFacts.tool(),
                HostFacts.run(spec, started, phases(end.drainSeconds(), clients), end.reason() != null),
                HostFacts.client(kind, clients.pools().get(0).settings(), snapshots, okInTime(all), turns.share()),
                servers(watch, cluster),
                HostFacts.dataset(table, rows(watch, cluster), afterwards),
                operations,
                outages,
                steps,
                schedule == null ? null : Latency.of(recorded.sum(Time.LAG)),
                end.backlog(),
                schedule == null || seconds == 0 ? null : Long.valueOf(schedule.dropped()),
                new Pauses(pause.count(), pause.seconds(), pause.measuredAt()),
                profile,
                recorded.nodes(target, snapshots, clients),
                all,
                snapshots.network(seconds),
                validity.isValid(),
                validity.reasons(),
                validity.warnings(),
                List.of()));
    }

    /** Whether every client was to send one operation after the other all the time, up to the end. */
    private boolean isClosedAndBusy(Pause pause, @Nullable Schedule schedule, RunEnd end) {
        boolean isWhole = seconds > 0.99 * spec.phases().measure().toNanos() / 1e9;
        boolean isInterrupted = end.reason() != null && end.reason().isValid();
        return schedule == null
                && seconds > 0
                && pause.countMeasured() == 0
                && (isInterrupted || (isWhole && end.reason() == null));
    }

    private LittlesLaw littlesLaw(int clients) {
        LatencyHistogram times = recorded.sum(Time.TOTAL);
        times.add(recorded.sum(Time.FAILED)); // of misses and duplicates too
        return new LittlesLaw(
                clients, seconds, recorded.endedInWindow(), times.meanMicros() / 1e6, recorded.secondsAtEdges());
    }

    private static long ended(Map<String, OperationResult> operations) {
        return operations.values().stream()
                .mapToLong(o -> o.ok() + o.misses() + o.duplicates() + o.failed())
                .sum();
    }

    /** The outages of all nodes together, and of each where there are several. */
    private List<Outage> outages() {
        if (timeline.measureStart() == Long.MAX_VALUE) {
            return List.of();
        }
        int nodes = target.nodes().size();
        List<Outage> outages = new ArrayList<>(outagesOf(together()).find(null));
        for (int n = 0; nodes > 1 && n < nodes; n++) {
            outages.addAll(
                    outagesOf(timeline.successes(n)).find(target.nodes().get(n).url()));
        }
        return outages;
    }

    private SuccessTimes together() {
        return SuccessTimes.together(IntStream.range(0, target.nodes().size())
                .mapToObj(timeline::successes)
                .toList());
    }

    private Outages outagesOf(SuccessTimes times) {
        return new Outages(times, usualNanos(), measureStart(), measureEnd());
    }

    private long measureStart() {
        return timeline.measureStart() - timeline.origin();
    }

    private long measureEnd() {
        return timeline.measureEnd() - timeline.origin();
    }

    /** What made the longest operations long, a sentence each. */
    private List<String> longTimes(Clients clients, ClusterWatch cluster) {
        if (timeline.measureStart() == Long.MAX_VALUE) {
            return List.of();
        }
        List<Suspect> suspects = clients.suspects();
        suspects.addAll(cluster.slow());
        return new LongTimes(together().waits(), usualNanos(), measureStart(), measureEnd(), suspects).words();
    }

    /** What each operation that ended took; those that did not end, and their time so far, are not in these. */
    private long[] usualNanos() {
        return IntStream.range(0, timeline.shapes().size())
                .mapToObj(timeline::total)
                .mapToLong(c -> Math.round(1e3 * usualMicros(c.times(Time.ACQUIRE), c.times(Time.SERVICE))))
                .toArray();
    }

    private static double usualMicros(@Nullable LatencyHistogram acquire, @Nullable LatencyHistogram service) {
        return (acquire == null ? 0 : acquire.micros(50)) + (service == null ? 0 : service.micros(50));
    }

    private static List<PostRunCheck> afterwards(PostRunChecks look, ServerWatch watch, ClusterWatch cluster)
            throws InterruptedException {
        return cluster.isWhole() && watch.ask(look::isAnswered, false)
                ? look.look(PostRunChecks.MAX_SECONDS)
                : look.withoutAnswer();
    }

    /** The rows that the table has now; -1: unknown, as counting them would wait for a server that does not answer. */
    private long rows(ServerWatch watch, ClusterWatch cluster) throws InterruptedException {
        return cluster.isWhole() ? watch.ask(() -> HostFacts.rows(target, table), -1L) : -1L;
    }

    private List<ServerInfo> servers(ServerWatch watch, ClusterWatch cluster) throws InterruptedException {
        return HostFacts.servers(target, spec, cluster, watch.loadAverage(), watch.settings(spec));
    }

    private List<RunInfo.PhaseLength> phases(double drained, Clients clients) {
        List<RunInfo.PhaseLength> phases = new ArrayList<>();
        phases.add(new RunInfo.PhaseLength("warmup", warmupSeconds()));
        phases.add(new RunInfo.PhaseLength("measure", seconds));
        phases.add(new RunInfo.PhaseLength("drain", clients.all().isEmpty() ? 0 : drained));
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

    /** What ended well within the time whose CPU is counted, so without the drain. */
    private static long okInTime(List<IntervalResult> all) {
        return all.stream()
                .filter(i -> i.phase().equals("measure"))
                .mapToLong(IntervalResult::ok)
                .sum();
    }
}
