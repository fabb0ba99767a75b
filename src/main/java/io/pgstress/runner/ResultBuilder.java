package io.pgstress.runner;

import io.pgstress.dataset.Table;
import io.pgstress.measure.LatencyHistogram;
import io.pgstress.measure.OperationShape;
import io.pgstress.measure.Phase;
import io.pgstress.measure.Time;
import io.pgstress.plan.Load;
import io.pgstress.plan.RunLoadOptions;
import io.pgstress.plan.RunOptions;
import io.pgstress.plan.RunSpec;
import io.pgstress.plan.ThinkTime;
import io.pgstress.plan.server.ServerOptions;
import io.pgstress.result.ClientInfo;
import io.pgstress.result.Connecting;
import io.pgstress.result.DatasetInfo;
import io.pgstress.result.Header;
import io.pgstress.result.Header.ToolInfo;
import io.pgstress.result.IntervalResult;
import io.pgstress.result.Latency;
import io.pgstress.result.LoadResult;
import io.pgstress.result.NodeResult;
import io.pgstress.result.OperationResult;
import io.pgstress.result.Pauses;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.RunInfo;
import io.pgstress.result.RunResult;
import io.pgstress.result.ServerProfile;
import io.pgstress.result.Validity;
import io.pgstress.result.Workload;
import io.pgstress.target.driver.Connector;
import io.pgstress.verdict.Evidence;
import io.pgstress.verdict.Judge;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Builds a {@link RunResult} from the options, what the clients recorded and what the probes found. */
final class ResultBuilder {
    /** A setting's value may contain a password: {@code primary_conninfo=... password=...}. */
    private static final Pattern SECRET = Pattern.compile("(?i)(password=)\\S+");

    private final RunContext run;
    private final Clients clients;
    private final Intervals intervals;
    private final RunEnd end;
    private final Stop.@Nullable Reason reason;
    private final RecordedFigures recorded;

    /** The intervals of the measurement, and the drain if any operation ended in it. */
    private final List<IntervalResult> measured;

    ResultBuilder(RunContext run, Clients clients, Intervals intervals, RunEnd end) {
        this.run = run;
        this.clients = clients;
        this.intervals = intervals;
        this.end = end;
        this.reason = run.signals().stop().reason();
        this.recorded = new RecordedFigures(run, clients);
        this.measured = intervals.all(end.drainSeconds());
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
        if (reason != null) {
            evidence.endedEarly(reason.text(), reason.isValid());
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
        boolean isInterrupted = reason != null && reason.isValid();
        return run.signals().schedule() == null
                && recorded.seconds() > 0
                && clients.areComplete()
                && run.signals().pause().countMeasured() == 0
                && (isInterrupted || (isWhole && reason == null));
    }

    private RunResult result(Findings findings) {
        Schedule schedule = run.signals().schedule();
        return new RunResult(
                new Header(
                        RunResult.SCHEMA,
                        tool(),
                        info(
                                run,
                                end.started(),
                                phases(),
                                reason != null,
                                findings.fleet().toleratedLost(),
                                findings.fleet().insecure()),
                        findings.clientInfo(),
                        findings.servers(),
                        dataset(run, findings.rowsAfter(), findings.checks())),
                new LoadResult(
                        recorded.operations(),
                        recorded.nodes(findings.client().byNode()),
                        findings.client().network(),
                        connecting(),
                        findings.evidence().outages(),
                        pauses(),
                        schedule == null ? LoadResult.Open.NONE : open(),
                        measured,
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
                run.spec().get(RunOptions.ROUND_TIME).isZero() ? null : Pauses.Rounds.of(measured, pause.measuredAt()));
    }

    private LoadResult.Open open() {
        return new LoadResult.Open(
                intervals.rateSteps(),
                Latency.of(recorded.sum(Time.LAG)),
                clients.begunLate(),
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

    private static ToolInfo tool() {
        Package p = ResultBuilder.class.getPackage();
        String version = p == null ? null : p.getImplementationVersion();
        return new ToolInfo(version == null ? "development" : version, commit(), Connector.driverVersion());
    }

    /** The commit that the jar was built from, according to its manifest; empty if unknown. */
    private static String commit() {
        try (InputStream manifest = ClassLoader.getSystemResourceAsStream(JarFile.MANIFEST_NAME)) {
            String commit = manifest == null
                    ? null
                    : new Manifest(manifest).getMainAttributes().getValue("Implementation-Commit");
            return commit == null || commit.startsWith("${") ? "" : commit; // built without a repository
        } catch (IOException e) {
            return "";
        }
    }

    /** The part of the result that is known before the load; it has no figures. */
    static RunResult before(RunContext run) {
        return new RunResult(
                new Header(
                        RunResult.SCHEMA,
                        tool(),
                        info(run, Instant.now(), List.of(), true, null, null),
                        ClientInfo.unknown(""),
                        List.of(),
                        dataset(run, run.table().rows(), List.of())),
                LoadResult.NONE.withOperations(
                        run.timeline().shapes().stream()
                                .collect(Collectors.toMap(
                                        OperationShape::name,
                                        shape -> OperationResult.NONE,
                                        (one, same) -> one,
                                        LinkedHashMap::new)),
                        run.target().nodes().stream()
                                .map(node -> new NodeResult(node.url(), node.clients(), Map.of(), null, null, null))
                                .toList()),
                ServerProfile.NONE,
                Validity.NONE,
                List.of());
    }

    /** @param checks the results of the checks of the table after the load */
    static DatasetInfo dataset(RunContext run, long rowsAfter, List<Remark> checks) {
        Table table = run.table();
        return new DatasetInfo(
                table.name().toString(),
                table.keyType().label(),
                table.rows(),
                rowsAfter,
                table.knownBytes(),
                table.ids().distinct(),
                table.keys().size(),
                run.runOperations().copyRows(),
                List.copyOf(checks));
    }

    /** @param started start of the load */
    private static RunInfo info(
            RunContext run,
            Instant started,
            List<RunInfo.PhaseLength> phases,
            boolean partial,
            @Nullable Integer toleratedLost,
            @Nullable Boolean insecure) {
        RunSpec spec = run.spec();
        Map<String, Object> scenario = new TreeMap<>();
        spec.options().texts().forEach((name, values) -> {
            if (name.equals(ServerOptions.PASSWORD_COMMAND_NAME)) {
                scenario.put(name, "***");
            } else if (!name.equals("url")) {
                List<String> told = values.stream()
                        .map(v -> SECRET.matcher(v).replaceAll("$1***"))
                        .toList();
                scenario.put(name, told.size() == 1 ? told.get(0) : told);
            }
        });
        scenario.put("url", spec.endpoints().stream().map(Object::toString).toList());
        spec.table().ifPresent(table -> scenario.put("table", table.toString()));
        return new RunInfo(
                run.id(),
                started.truncatedTo(ChronoUnit.MILLIS).toString(),
                List.of(),
                spec.seed(),
                scenario,
                workload(spec, run.runOperations().maxMissShares()),
                phases,
                partial,
                toleratedLost,
                insecure);
    }

    private static Workload workload(RunSpec spec, Map<String, Double> maxMissShares) {
        return new Workload(
                spec.mixLabel(),
                spec.load().clients(),
                spec.load() instanceof Load.Open open ? open.rates() : List.of(),
                think(spec.get(RunLoadOptions.THINK)),
                lowerCase(spec.get(RunLoadOptions.ARRIVAL)),
                lowerCase(spec.statement()),
                spec.get(RunOptions.QUERY_MODE).orElse(null),
                spec.pool().kind(),
                spec.pool().size(),
                spec.get(RunOptions.TRANSACTION),
                spec.get(RunOptions.FETCH_SIZE),
                lowerCase(spec.get(RunOptions.KEY_DISTRIBUTION)),
                spec.phases().autoWarmup(),
                spec.failures().maxErrorRate(),
                maxMissShares,
                spec.get(RunOptions.ACCEPT).stream().map(RemarkCode::ofWord).toList());
    }

    private static Workload.@Nullable Think think(ThinkTime time) {
        return time.nanos() == 0 ? null : new Workload.Think(time.nanos() / 1e3, time.isExponential());
    }

    private static String lowerCase(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    /**
     * How a run ended.
     *
     * @param started start of the load
     * @param hazards problems of this load that were known in advance
     * @param warmupCut what the warm-up had not reached at its limit; null if it was not cut
     * @param hung clients whose operation from before the measurement was still in progress at the end of the drain, by what they wait for
     * @param connectSeconds how long the clients took to connect
     * @param drainSeconds how long the run waited for operations in progress
     */
    record RunEnd(
            Instant started,
            List<Remark> hazards,
            @Nullable String warmupCut,
            Map<String, Integer> hung,
            double connectSeconds,
            double drainSeconds) {}
}
