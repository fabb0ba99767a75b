package io.pgstress.runner;

import io.pgstress.measure.LatencyHistogram;
import io.pgstress.measure.Phase;
import io.pgstress.measure.Time;
import io.pgstress.plan.RunOptions;
import io.pgstress.result.Connecting;
import io.pgstress.result.Header;
import io.pgstress.result.Latency;
import io.pgstress.result.LoadResult;
import io.pgstress.result.Pauses;
import io.pgstress.result.Remark;
import io.pgstress.result.RunInfo;
import io.pgstress.result.RunResult;
import io.pgstress.result.Validity;
import io.pgstress.runner.Runner.RunProbes;
import io.pgstress.verdict.Evidence;
import io.pgstress.verdict.Judge;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Builds a {@link RunResult} from what the clients recorded and the probes found. */
final class ResultBuilder {
    private final RunContext run;
    private final Clients clients;
    private final Intervals intervals;
    private final RunEnd end;
    private final RecordedFigures recorded;

    ResultBuilder(RunContext run, Clients clients, Intervals intervals, RunEnd end) {
        this.run = run;
        this.clients = clients;
        this.intervals = intervals;
        this.end = end;
        this.recorded = new RecordedFigures(run, clients, intervals.all(end.drainSeconds()));
    }

    RunResult build(RunProbes probes) throws InterruptedException {
        Evidence evidence = evidence();
        Findings findings = new Findings(run, recorded, evidence);
        probes.await(probe -> probe.contribute(findings));
        return Judge.judged(result(findings), evidence);
    }

    /** The evidence known to the run's own thread. */
    private Evidence evidence() {
        Evidence evidence = new Evidence();
        if (end.reason() != null) {
            evidence.endedEarly(end.reason().text(), end.reason().isValid());
        }
        end.hazards().forEach(evidence::caution);
        run.target().nodes().forEach(node -> node.cautions().forEach(evidence::caution));
        if (end.warmupCut() != null) {
            evidence.warmupCut(end.warmupCut());
        }
        evidence.hungClients(end.hung());
        evidence.answers(recorded.answers());
        if (isClosedAndBusy()) {
            evidence.littlesLaw(recorded.littlesLaw(clients.count()));
        }
        return evidence;
    }

    /** Whether every client was to send operations back to back until the end. */
    private boolean isClosedAndBusy() {
        boolean isWhole =
                recorded.seconds() > 0.99 * run.spec().phases().measure().toNanos() / 1e9;
        boolean isInterrupted = end.reason() != null && end.reason().isValid();
        return run.signals().schedule() == null
                && recorded.seconds() > 0
                && clients.areComplete()
                && run.signals().pause().countMeasured() == 0
                && (isInterrupted || (isWhole && end.reason() == null));
    }

    private RunResult result(Findings findings) {
        Schedule schedule = run.signals().schedule();
        return new RunResult(
                new Header(
                        RunResult.SCHEMA,
                        RunFacts.tool(),
                        RunFacts.run(
                                run.spec(),
                                end.started(),
                                phases(),
                                end.reason() != null,
                                findings.fleet().toleratedLost(),
                                findings.fleet().insecure()),
                        findings.clientInfo(),
                        findings.servers(),
                        findings.dataset()),
                new LoadResult(
                        recorded.operations(),
                        recorded.nodes(findings),
                        findings.client().network(),
                        connecting(),
                        findings.evidence().outages(),
                        pauses(),
                        schedule == null ? LoadResult.Open.NONE : open(),
                        recorded.intervals(),
                        intervals.ofWarmup(),
                        findings.fleet().hosts()),
                findings.profile(),
                Validity.NONE,
                List.of());
    }

    private Pauses pauses() {
        Pause pause = run.signals().pause();
        return new Pauses(
                pause.count(),
                pause.seconds(),
                pause.measuredAt(),
                run.spec().get(RunOptions.ROUND_TIME).isZero()
                        ? null
                        : Pauses.Rounds.of(recorded.intervals(), pause.measuredAt()));
    }

    private LoadResult.Open open() {
        return new LoadResult.Open(
                intervals.rateSteps(),
                Latency.of(recorded.sum(Time.LAG)),
                end.backlog(),
                recorded.seconds() == 0 ? null : Long.valueOf(clients.dropped()));
    }

    private Connecting connecting() {
        Connecting.Window window = new Connecting.Window(recorded.seconds(), recorded.okInTime());
        if (!run.spec().pool().perTransaction()) {
            return Connecting.perClient(end.connectSeconds(), window);
        }
        LatencyHistogram times = recorded.sum(Time.ACQUIRE);
        boolean isClosed = run.signals().schedule() == null;
        return Connecting.perTransaction(
                times.count() == 0 ? null : Double.valueOf(times.meanMicros()), isClosed ? clients.count() : 0, window);
    }

    private List<RunInfo.PhaseLength> phases() {
        return List.of(
                length(Phase.WARMUP, recorded.warmupSeconds()),
                length(Phase.MEASURE, recorded.seconds()),
                length(Phase.DRAIN, clients.count() == 0 ? 0 : end.drainSeconds()));
    }

    private static RunInfo.PhaseLength length(Phase phase, double seconds) {
        return new RunInfo.PhaseLength(phase.label(), seconds);
    }

    /**
     * How a run ended.
     *
     * @param started start of the load
     * @param hazards problems of this load that were known in advance
     * @param reason why it ended early; null if it did not
     * @param warmupCut what the warm-up had not reached at its limit; null if it was not cut
     * @param backlog operations due but not started at the end of the measurement; null in a closed loop
     * @param hung clients whose operation from before the measurement was still in progress at the end of the drain
     * @param connectSeconds how long the clients took to connect
     * @param drainSeconds how long the run waited for operations in progress
     */
    record RunEnd(
            Instant started,
            List<Remark> hazards,
            Stop.@Nullable Reason reason,
            @Nullable String warmupCut,
            @Nullable Long backlog,
            int hung,
            double connectSeconds,
            double drainSeconds) {}
}
