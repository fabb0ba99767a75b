package io.pgstress.cli;

import io.pgstress.interrupt.Interruption;
import io.pgstress.interrupt.Part;
import io.pgstress.measure.Phase;
import io.pgstress.metrics.MetricsServer;
import io.pgstress.metrics.RunMetrics;
import io.pgstress.operation.workload.LoadOptions;
import io.pgstress.plan.Purpose;
import io.pgstress.plan.RunSpec;
import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.plan.option.Option;
import io.pgstress.plan.option.Options;
import io.pgstress.plan.option.Problems;
import io.pgstress.report.live.LiveView;
import io.pgstress.report.live.ProgressFormat;
import io.pgstress.report.live.Terminal;
import io.pgstress.report.page.LiveServer;
import io.pgstress.result.IntervalResult;
import io.pgstress.result.OperationResult;
import io.pgstress.result.Remark;
import io.pgstress.result.RunResult;
import io.pgstress.runner.CommandSession;
import io.pgstress.runner.CommandSession.PreparedRun;
import io.pgstress.runner.RunListener;
import io.pgstress.text.Rounded;
import io.pgstress.verdict.FigureLimits;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.ParseResult;

/** The main command: runs a load and reports it. */
final class RunCommand extends LoadCommand {
    private static final String NOTHING = "nothing was measured";

    private static final List<Option<?>> OWN =
            ReportOptions.with(ReportOptions.OF_RUN, FleetOptions.OF_LOAD.toArray(Option<?>[]::new));

    /** The program's name. */
    static final String NAME = "stress";

    RunCommand(Streams streams) {
        super(
                streams,
                NAME,
                "Runs load against jsonb tables of PostgreSQL, Citus or Postgres-XL, and reports throughput and"
                        + " latency, and how reliable they are. Without a server, it uses an embedded PostgreSQL with"
                        + " sample data.",
                Purpose.RUN,
                OWN,
                Set.of());
        spec.addOption(flag("Show all options and exit.", ShortHelp.ALL).build());
        spec.usageMessage().sectionMap().put(UsageMessageSpec.SECTION_KEY_FOOTER, help -> {
            spec.usageMessage().footer(footer());
            return help.footer();
        });
    }

    /** The operations for {@code --op}, one line each, and the exit codes. */
    private static String[] footer() {
        return Stream.of(
                        Stream.of("", "Operations for --op:"),
                        OperationList.summaries().stream(),
                        Stream.of(ExitCode.HELP))
                .flatMap(lines -> lines)
                .toArray(String[]::new);
    }

    @Override
    int run(ParseResult parsed, Options own, Problems problems) throws Exception {
        Map<String, List<String>> given = given(parsed, Purpose.RUN);
        RunSpec asked = READER.read(given, Purpose.RUN, problems);
        checkHosts(own, Stream.of(asked), problems);
        ResultOutput output = ResultOutput.ofRuns(own, problems);
        problems.throwIfAny();
        output.prepare();
        tellServer(streams, parsed, asked.endpoints());
        Interruption interruption = streams.interruption();
        try (LiveServer page = livePage(own, streams);
                LoadHosts loadHosts = loadHosts(streams, own, Purpose.RUN);
                CommandSession session = CommandSession.open(asked.endpoints(), interruption, NOTHING, streams::note)) {
            PreparedRun prepared = session.prepareLoad(asked);
            RunResult result = run(session, prepared, own, loadHosts, page);
            RunResult named = FigureLimits.checked(result.withArgv(argv(parsed)), own.get(ReportOptions.FAIL_IF));
            if (page != null) {
                page.ends(named);
            }
            interruption.enter(Part.uninterruptible("the reports to be written", "the report is not complete"));
            List<String> refused = refused(named, prepared.spec());
            if (!refused.isEmpty()) {
                streams.note("not everything was loaded: " + String.join("; ", refused));
            }
            output.write(List.of(named), streams);
            interruption.enter(Part.uninterruptible("the command to end", reported(named)));
            return exitCode(named, refused.isEmpty(), session.isRestored());
        }
    }

    /** The rows of {@code --input} that the server refused: the errors whose text begins with the name of a file. */
    private static List<String> refused(RunResult result, RunSpec spec) {
        List<String> files = LoadOptions.files(spec.options()).stream()
                .map(path -> path + ":")
                .toList();
        return result.operations().values().stream()
                .flatMap(o -> o.errors().entrySet().stream())
                .filter(e -> files.stream().anyMatch(e.getValue().sample()::startsWith))
                .map(e -> refusal(e.getKey(), e.getValue()))
                .toList();
    }

    private static String refusal(String state, OperationResult.ErrorCount error) {
        String more = error.count() == 1 ? "" : String.format(Locale.ROOT, ", in %,d COPYs", error.count());
        return error.sample() + " (SQLSTATE " + state + more + ")";
    }

    private static int exitCode(RunResult result, boolean allLoaded, boolean restored) {
        if (!restored) {
            return ExitCode.TARGET;
        }
        if (!allLoaded) {
            return ExitCode.DATA;
        }
        return result.valid() && !FailIf.isBroken(result) ? ExitCode.DONE : ExitCode.LIMIT_BROKEN;
    }

    /** What the report of an interrupted run covers. */
    private static String reported(RunResult result) {
        double seconds = result.run().measuredSeconds();
        return seconds == 0
                ? "nothing was measured, because the warm-up had not ended"
                : Rounded.format("the report covers the %.1f s that were measured", seconds);
    }

    private RunResult run(
            CommandSession session, PreparedRun prepared, Options own, LoadHosts loadHosts, @Nullable LiveServer page)
            throws IOException, InterruptedException {
        AtomicReference<String> kept = new AtomicReference<>(NOTHING);
        LoadPart load = new LoadPart(loadHosts, kept::get);
        CommandSession.Altered altered = session.alterServers(prepared);
        try (altered;
                LiveListener live = new LiveListener(own, streams, page, kept::set)) {
            streams.interruption().check();
            streams.interruption().enter(load);
            return load.run(prepared, live);
        }
    }

    /** Shows a run's progress on stderr and, if requested, serves its metrics until it is closed; reports it to the live page, too. */
    private static final class LiveListener implements RunListener, AutoCloseable {
        private final Streams streams;
        private final LiveView view;
        private final @Nullable LiveServer page;
        private final @Nullable RunMetrics metrics;
        private final @Nullable MetricsServer server;
        private final Consumer<String> kept;

        /** @param kept is told what a run leaves that is ended by force */
        LiveListener(Options options, Streams streams, @Nullable LiveServer page, Consumer<String> kept)
                throws IOException {
            this.kept = kept;
            this.streams = streams;
            this.page = page;
            Optional<ReportOptions.Listening> at = options.get(ReportOptions.PROMETHEUS);
            if (at.isPresent()) {
                metrics = new RunMetrics();
                server = MetricsServer.start(at.get().host(), at.get().port(), metrics);
                streams.err().println("stress: metrics at " + server.url());
            } else {
                metrics = null;
                server = null;
            }
            ProgressFormat progress =
                    options.get(ReportOptions.QUIET) ? ProgressFormat.NONE : options.get(ReportOptions.PROGRESS_FORMAT);
            view = progress.view(Terminal.stderrWithWidth(System.getenv()), streams.err());
        }

        @Override
        public void warning(Remark remark) {
            view.close(); // clears its line, which the next interval draws again
            streams.note("warning: " + remark.text());
        }

        @Override
        public void progress(String text) {
            streams.err().println("stress: " + text);
        }

        @Override
        public void begins(RunResult known) {
            if (page != null) {
                page.begins(known);
            }
        }

        @Override
        public void phase(Phase phase, double seconds) {
            if (phase == Phase.MEASURE) {
                kept.accept("what was measured is lost");
            }
            view.phase(phase.label(), seconds);
            if (page != null) {
                page.phase(phase.label(), seconds);
            }
        }

        @Override
        public void pool(String node, Supplier<Map<String, Number>> gauges) {
            if (metrics != null) {
                metrics.pool(node, gauges);
            }
        }

        @Override
        public void interval(IntervalResult result) {
            view.interval(result);
            if (page != null) {
                page.interval(result);
            }
            if (metrics != null) {
                metrics.interval(result);
            }
        }

        @Override
        public void close() {
            if (server != null) {
                server.close();
            }
            if (metrics != null) {
                metrics.close();
            }
            view.close();
        }
    }

    /**
     * Serves the page of a run if {@code --live} asks for it, and prints its address.
     *
     * @throws InvalidPlanException if it cannot listen there
     */
    private static @Nullable LiveServer livePage(Options options, Streams streams) {
        Optional<ReportOptions.Listening> at = options.get(ReportOptions.LIVE);
        if (at.isEmpty()) {
            return null;
        }
        try {
            LiveServer server = LiveServer.start(at.get().host(), at.get().port());
            streams.err().println("stress: live page at " + server.url());
            return server;
        } catch (IOException e) {
            throw new InvalidPlanException("--live: " + e.getMessage());
        }
    }
}
