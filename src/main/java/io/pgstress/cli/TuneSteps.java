package io.pgstress.cli;

import io.pgstress.compare.climb.Climber;
import io.pgstress.compare.climb.Climber.Measurement;
import io.pgstress.compare.climb.StepStability;
import io.pgstress.compare.statistics.Interval;
import io.pgstress.dataset.Table;
import io.pgstress.importer.BundledData;
import io.pgstress.interrupt.Interruption;
import io.pgstress.operation.catalog.Operations;
import io.pgstress.plan.RunSpec;
import io.pgstress.result.IntervalResult;
import io.pgstress.result.Latency;
import io.pgstress.result.OperationMerge;
import io.pgstress.result.OperationResult;
import io.pgstress.result.RunResult;
import io.pgstress.result.Scaling.Step;
import io.pgstress.runner.RunListener;
import io.pgstress.runner.Runner;
import io.pgstress.target.Target;
import io.pgstress.target.settings.AlteredSettings;
import io.pgstress.target.settings.SettingsCheck;
import java.io.IOException;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Runs the steps of a climb, each until its throughput is known well enough or its time is over. */
final class TuneSteps implements Climber.Steps {
    private static final int KEPT_CONNECTIONS = 4;

    /** The part of an interval's length that makes it a whole one. */
    private static final double WHOLE = 0.99;

    private final Servers servers;
    private final RunSpec first;
    private final Interruption interruption;
    private final Consumer<Measurement> told;
    private @Nullable Table table;
    private volatile @Nullable Runner running;
    private volatile boolean stopped;

    TuneSteps(Servers servers, RunSpec first, Interruption interruption, Consumer<Measurement> told) {
        this.interruption = interruption;
        this.servers = servers;
        this.first = first;
        this.told = told;
    }

    /** Clients that the servers have connections for. */
    int mostClients() throws SQLException, IOException, InterruptedException {
        RunSpec complete = servers.complete(first, BundledData.DEFAULT_TABLE);
        Target target = Target.open(complete);
        if (servers.isEmbedded() && complete.table().equals(BundledData.DEFAULT_TABLE)) {
            Interruptions.importSample(interruption, target, TuneCommand.NOTHING);
        }
        SettingsCheck.check(target, complete.settings());
        table = Operations.table(complete, target);
        int fewest = target.nodes().stream()
                .mapToInt(n -> n.facts().freeConnections())
                .min()
                .orElse(KEPT_CONNECTIONS);
        return Math.max(1, (fewest - KEPT_CONNECTIONS) * target.nodes().size());
    }

    /** Changes the settings of servers that the climb is to have; they are put back when what this returns is closed. */
    AlteredSettings alterServers() throws SQLException {
        RunSpec complete = servers.complete(first, BundledData.DEFAULT_TABLE);
        return ServerSettingsOfRun.apply(complete, Target.open(complete));
    }

    @Override
    public Measurement measure(int clients) throws InterruptedException {
        RunSpec spec = servers.complete(first, BundledData.DEFAULT_TABLE).withClients(clients);
        Target target = Target.open(spec);
        Table known = table == null ? Operations.table(spec, target) : table;
        StepStability levels = new StepStability();
        Runner runner = new Runner(spec, target, known, new RunListener() {
            @Override
            public void settled(String phase, Supplier<IntervalResult> result) {
                Runner current = running;
                if (phase.equals("measure") && levels.isEnoughAfter(result.get().opsPerSecond()) && current != null) {
                    current.stop("level");
                }
            }
        });
        running = runner;
        if (stopped) {
            throw new InterruptedException("stopped");
        }
        RunResult result = runner.run();
        running = null;
        if (stopped) {
            throw new InterruptedException("stopped");
        }
        Measurement measurement =
                new Measurement(step(clients, result, StepStability.interval(whole(spec, result))), result);
        told.accept(measurement);
        return measurement;
    }

    /** The rates of the intervals that were measured in full: the last one may be cut short. */
    private static List<Double> whole(RunSpec spec, RunResult result) {
        double least = WHOLE * spec.phases().interval().toNanos() / 1e9;
        return result.intervals().stream()
                .filter(i -> i.phase().equals("measure") && i.seconds() >= least)
                .map(IntervalResult::opsPerSecond)
                .toList();
    }

    private static Step step(int clients, RunResult result, @Nullable Interval interval) {
        OperationResult all = OperationMerge.of(result.operations().values());
        Map<String, Latency> times = all.latencyMicros();
        Latency latency = times.getOrDefault("response", times.get("total"));
        double seconds = result.run().phases().stream()
                .filter(p -> p.name().equals("measure"))
                .mapToDouble(RunResult.PhaseLength::seconds)
                .sum();
        return new Step(
                clients,
                seconds,
                all.opsPerSecond(),
                interval == null ? null : Math.max(0, interval.low()), // Student does not know that
                interval == null ? null : interval.high(),
                latency == null ? new Latency(0, 0, 0, 0, 0, 0, 0, 0, null) : latency,
                all.failed());
    }

    /** Ends the step under way without waiting for its operations, and the climb. */
    void abort() {
        stopped = true;
        Runner runner = running;
        if (runner != null) {
            runner.abort();
        }
    }

    /** The step under way; null between two. */
    @Nullable
    Runner running() {
        return running;
    }

    /** Ends the step under way and the climb. */
    void stop() {
        stopped = true;
        Runner runner = running;
        if (runner != null) {
            runner.stop(Runner.INTERRUPTED);
        }
    }
}
