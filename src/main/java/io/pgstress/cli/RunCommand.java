package io.pgstress.cli;

import io.pgstress.interrupt.CommandPart;
import io.pgstress.interrupt.Interruption;
import io.pgstress.measure.OperationLog;
import io.pgstress.measure.Phase;
import io.pgstress.metrics.RunMetrics;
import io.pgstress.plan.FigureLimit;
import io.pgstress.plan.Purpose;
import io.pgstress.plan.RunOptions;
import io.pgstress.plan.RunSpec;
import io.pgstress.plan.option.Durations;
import io.pgstress.plan.option.Forms;
import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.plan.option.Option;
import io.pgstress.plan.option.Options;
import io.pgstress.plan.option.Problems;
import io.pgstress.report.file.AtomicFile;
import io.pgstress.report.file.PgbenchLog;
import io.pgstress.report.live.HttpEndpoint;
import io.pgstress.report.live.LiveView;
import io.pgstress.report.live.ProgressFormat;
import io.pgstress.report.live.Terminal;
import io.pgstress.report.page.LiveServer;
import io.pgstress.result.IntervalResult;
import io.pgstress.result.Remark;
import io.pgstress.result.RunResult;
import io.pgstress.runner.RunListener;
import io.pgstress.session.CommandSession;
import io.pgstress.session.PreparedRun;
import io.pgstress.session.Runs;
import io.pgstress.session.Runs.RunHosts;
import io.pgstress.text.Counted;
import io.pgstress.text.Rounded;
import io.pgstress.verdict.FigureLimits;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ParseResult;

/** The main command: runs a load and reports it. */
final class RunCommand extends RunOptionsCommand {
    private static final String NOTHING = "nothing was measured";

    private static final List<Option<?>> OWN = Option.join(ReportOptions.OF_RUN, FleetOptions.OF_LOAD);

    private static final FirstScreen FIRST_SCREEN = new FirstScreen(
            "Runs load against PostgreSQL, Citus or Postgres-XL, and reports throughput and latency. Without a server, it uses"
                    + " an embedded PostgreSQL with sample data.",
            List.of(
                    "stress --op find_update --clients 16                    # embedded PostgreSQL",
                    "stress import dump -d shop && stress -d shop -t orders  # your documents",
                    "stress compare --vary statement=plain,prepared          # which is faster"),
            List.of("url", "host", "dbname", "table", "op", "clients", "duration", "rate", "html", "json"));

    RunCommand(Streams streams) {
        super(
                streams,
                PROGRAM,
                "Runs load against PostgreSQL, Citus or Postgres-XL, and reports throughput and latency, and how reliable"
                        + " they are. In parentheses are the defaults; docs/options.md has more on each option.",
                FIRST_SCREEN,
                Purpose.RUN,
                OWN);
        PgbenchOptions.addTo(spec);
    }

    /** A limit that no run can exceed would be kept for ever. */
    private static void requireLatencyLimit(RunSpec asked, List<FigureLimit> limits) {
        if (asked.get(RunOptions.LATENCY_LIMIT).isZero()
                && limits.stream().anyMatch(limit -> limit.metric().equals(FigureLimit.LATE))) {
            throw new InvalidPlanException("--fail-if: late needs --latency-limit, which says what is late");
        }
    }

    @Override
    int run(ParseResult parsed, Options own, Problems problems) throws Exception {
        Map<String, List<String>> given = PgbenchOptions.read(parsed, given(parsed, Purpose.RUN));
        RunSpec asked = READER.read(given, onHosts(own, Purpose.RUN), problems);
        ResultOutput output = new ResultOutput(own);
        problems.throwIfAny();
        requireLatencyLimit(asked, own.get(ReportOptions.FAIL_IF));
        output.prepare();
        Optional<Path> log = own.get(ReportOptions.PGBENCH_LOG);
        if (log.isPresent()) {
            new AtomicFile(log.get()).touch();
        }
        tellServer(parsed, asked);
        Interruption interruption = streams.interruption();
        try (LiveListener live = new LiveListener(own, streams, asked.failures().maxTries() > 1);
                RunHosts hosts = hosts(own, Purpose.RUN);
                CommandSession session =
                        CommandSession.open(asked, interruption, NOTHING, streams::note, streams.passwords())) {
            PreparedRun prepared = session.prepareLoad(asked);
            RunResult result = run(session, prepared, hosts, live);
            RunResult named = FigureLimits.checked(result.withArgv(argv(parsed)), own.get(ReportOptions.FAIL_IF));
            live.ends(named);
            interruption.enter(CommandPart.uninterruptible("the reports to be written", "the report is not complete"));
            boolean isEmpty = interruption.isRequested() && named.run().measuredSeconds() == 0;
            try {
                live.endLog();
                log.ifPresent(output::wrote);
            } finally {
                if (isEmpty) {
                    output.writeFiles(List.of(named), streams);
                } else {
                    output.write(List.of(named), streams);
                }
            }
            live.linger(interruption, reported(named));
            interruption.enter(CommandPart.uninterruptible("the command to end", reported(named)));
            return exitCode(named, session.isRestored());
        }
    }

    private static int exitCode(RunResult result, boolean restored) {
        return restored ? ExitCode.of(List.of(result)) : ExitCode.TARGET;
    }

    /** What the report of an interrupted run covers. */
    private static String reported(RunResult result) {
        double seconds = result.run().measuredSeconds();
        return seconds == 0
                ? "nothing was measured, because the warm-up had not ended"
                : Rounded.format("the report covers the %.1f s that were measured", seconds);
    }

    private RunResult run(CommandSession session, PreparedRun prepared, RunHosts hosts, LiveListener live)
            throws InterruptedException {
        CommandSession.Altered altered = session.alterServers(prepared);
        try (altered) {
            streams.interruption().check();
            Runs runs = new Runs(hosts, ceilings(), live::kept);
            streams.interruption().enter(runs);
            return runs.run(prepared, live);
        } finally {
            live.loadEnds();
        }
    }

    /** Shows a run's progress on stderr and, if requested, on a page, and serves its metrics, until it is closed. */
    private static final class LiveListener implements RunListener, AutoCloseable {
        private final Streams streams;
        private final Optional<LiveServer> page;
        private final Optional<RunMetrics> metrics;
        private final Optional<HttpEndpoint> server;
        private final LiveView view;
        private final Optional<Path> logFile;
        private final Optional<PgbenchLog> log;
        private final List<FigureLimit> limits;
        private final Duration linger;
        private volatile String kept = NOTHING;

        /**
         * @param hasRetries whether failed operations are tried again
         * @throws InvalidPlanException if a server cannot listen, or the log cannot be written
         */
        LiveListener(Options options, Streams streams, boolean hasRetries) {
            this.streams = streams;
            limits = options.get(ReportOptions.FAIL_IF);
            linger = options.get(ReportOptions.METRICS_LINGER);
            ProgressFormat progress =
                    options.get(ReportOptions.QUIET) ? ProgressFormat.NONE : options.get(ReportOptions.PROGRESS_FORMAT);
            view = progress.view(Terminal.stderrWithWidth(System.getenv()), streams.err());
            logFile = options.get(ReportOptions.PGBENCH_LOG);
            log = logFile.map(file -> log(file, options.get(ReportOptions.AGGREGATE_INTERVAL), hasRetries));
            page = open(options, ReportOptions.LIVE, LiveServer::new);
            page.ifPresent(opened -> streams.note("live page at " + opened.url()));
            Optional<URI> receiver = options.get(ReportOptions.OTLP);
            metrics = receiver.isPresent()
                            || options.get(ReportOptions.PROMETHEUS).isPresent()
                    ? Optional.of(new RunMetrics(receiver.orElse(null), streams::note))
                    : Optional.empty();
            try {
                server = open(
                        options,
                        ReportOptions.PROMETHEUS,
                        (host, port) -> HttpEndpoint.start(
                                host, port, "/metrics", metrics.orElseThrow().handler()));
                server.ifPresent(opened -> streams.note("metrics at " + opened.url()));
            } catch (InvalidPlanException e) {
                page.ifPresent(LiveServer::close);
                throw e;
            }
        }

        private static PgbenchLog log(Path file, int aggregateSeconds, boolean hasRetries) {
            try {
                return PgbenchLog.to(Files.newOutputStream(file), aggregateSeconds, hasRetries);
            } catch (IOException e) {
                throw new InvalidPlanException(
                        ReportOptions.PGBENCH_LOG + ": " + file + " cannot be written: " + Forms.unreadable(e));
            }
        }

        private interface Opening<S> {
            S at(String host, int port) throws IOException;
        }

        private static <S> Optional<S> open(
                Options options, Option<Optional<ReportOptions.Listening>> where, Opening<S> opening) {
            Optional<ReportOptions.Listening> at = options.get(where);
            try {
                return at.isEmpty()
                        ? Optional.empty()
                        : Optional.of(opening.at(at.get().host(), at.get().port()));
            } catch (IOException e) {
                throw new InvalidPlanException(where + ": " + e.getMessage());
            }
        }

        /** What a run leaves that is ended by force. */
        String kept() {
            return kept;
        }

        @Override
        public void warning(Remark remark) {
            view.close(); // clears its line, which the next interval draws again
            streams.warning(remark.sentences());
        }

        @Override
        public void progress(String text) {
            streams.note(text);
        }

        @Override
        public void begins(RunResult known) {
            metrics.ifPresent(m -> m.begins(known));
            page.ifPresent(p -> p.begins(FigureLimits.unchecked(known, limits)));
        }

        @Override
        public void phase(Phase phase, double seconds) {
            if (phase == Phase.MEASURE) {
                kept = "what was measured is lost";
            }
            view.phase(phase, seconds);
            page.ifPresent(p -> p.phase(phase.label(), seconds));
        }

        @Override
        public void pool(String node, Supplier<Map<String, Number>> gauges) {
            metrics.ifPresent(m -> m.pool(node, gauges));
        }

        @Override
        public void interval(IntervalResult result) {
            view.interval(result);
            page.ifPresent(p -> p.interval(result));
            metrics.ifPresent(m -> m.interval(result));
        }

        @Override
        public void settled(Phase phase, Supplier<IntervalResult> result) {
            metrics.ifPresent(m -> m.interval(result.get()));
        }

        @Override
        public @Nullable OperationLog logOf(int client) {
            return log.map(l -> l.ofClient(client)).orElse(null);
        }

        /** Completes the log of operations. */
        void endLog() throws IOException, InterruptedException {
            if (log.isEmpty()) {
                return;
            }
            Path file = logFile.orElseThrow();
            try {
                long lost = log.get().close();
                if (lost > 0) {
                    streams.warning(Counted.of(lost, "operation") + " missing in " + file
                            + ": it could not be written as fast as they ended");
                }
            } catch (IOException e) {
                throw new FileSystemException(file.toString(), null, e.getMessage());
            }
        }

        /** Shows the result that the reports show. */
        void ends(RunResult result) {
            page.ifPresent(p -> p.ends(result));
            metrics.ifPresent(m -> m.ends(result));
        }

        /** Serves the metrics for as long as requested, or until a signal. */
        void linger(Interruption interruption, String report) throws InterruptedException {
            if (server.isEmpty() || linger.isZero()) {
                return;
            }
            CountDownLatch signal = new CountDownLatch(1);
            interruption.enter(new CommandPart.Described("", report, signal::countDown));
            streams.note("serving metrics for another " + Durations.text(linger.toNanos() / 1e3) + ", or until Ctrl-C");
            if (signal.await(linger.toMillis(), TimeUnit.MILLISECONDS)) {
                streams.note("metrics ended by a signal");
            }
        }

        void loadEnds() {
            metrics.ifPresent(RunMetrics::loadEnds);
            view.close();
        }

        @Override
        public void close() {
            loadEnds();
            server.ifPresent(HttpEndpoint::close);
            metrics.ifPresent(RunMetrics::close);
            log.ifPresent(PgbenchLog::end);
            page.ifPresent(LiveServer::close);
        }
    }
}
