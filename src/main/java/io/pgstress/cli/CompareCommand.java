package io.pgstress.cli;

import io.pgstress.compare.Comparer;
import io.pgstress.compare.Comparer.BlockRunner;
import io.pgstress.compare.Comparer.CompareListener;
import io.pgstress.compare.Comparer.Ended;
import io.pgstress.compare.ComparisonState;
import io.pgstress.compare.EarlierResult;
import io.pgstress.compare.Forecast;
import io.pgstress.compare.ThreadKinds;
import io.pgstress.interrupt.CommandPart;
import io.pgstress.interrupt.Interruption;
import io.pgstress.plan.Purpose;
import io.pgstress.plan.RunSpec;
import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.plan.option.Options;
import io.pgstress.plan.option.Problems;
import io.pgstress.plan.scenario.Scenario;
import io.pgstress.plan.scenario.Scenario.Hooks;
import io.pgstress.plan.scenario.Scenario.Variant;
import io.pgstress.plan.scenario.Scenario.Workload;
import io.pgstress.plan.server.ServerRequest;
import io.pgstress.report.file.ResultFile;
import io.pgstress.report.format.Figures;
import io.pgstress.result.Comparison;
import io.pgstress.result.Comparison.Effect;
import io.pgstress.result.Remark;
import io.pgstress.result.RunResult;
import io.pgstress.result.Validity;
import io.pgstress.session.CommandSession;
import io.pgstress.session.PreparedRun;
import io.pgstress.session.Runs;
import io.pgstress.session.Runs.RunHosts;
import io.pgstress.session.StartedServers;
import io.pgstress.target.Cluster;
import io.pgstress.target.Target;
import io.pgstress.target.driver.ControlSql;
import io.pgstress.target.driver.SessionPurpose;
import io.pgstress.target.driver.TargetException;
import io.pgstress.target.embedded.EmbeddedServer.DataHome;
import io.pgstress.text.Printable;
import io.pgstress.text.Quoting;
import io.pgstress.text.Records;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

/** {@code stress compare}: runs variants in interleaved blocks, and says which is faster. */
final class CompareCommand extends RunOptionsCommand {
    private static final String NOTHING = "nothing was compared";

    CompareCommand(Streams streams) {
        super(streams, Subcommand.COMPARE, Purpose.BLOCK, CompareOptions.ALL);
        argument(
                "0..1",
                "SCENARIO",
                "A YAML scenario (examples: config/ in the repository); command-line options override its base"
                        + " section.");
        spec.addPositional(PositionalParamSpec.builder()
                .index("1..*")
                .arity("0..*")
                .type(List.class)
                .auxiliaryTypes(String.class)
                .hidden(true)
                .build());
    }

    @Override
    int run(ParseResult parsed, Options own, Problems problems) throws Exception {
        refuseSeveral(parsed);
        refuseResult(parsed);
        boolean isDry = own.get(CompareOptions.DRY_RUN);
        Scenario asked = CompareOptions.read(parsed, own, problems);
        ResultOutput output = new ResultOutput(own);
        if (asked.workloads().size() > 1) {
            output.checkSeveralOnStdout(problems);
        }
        problems.throwIfAny();
        EarlierResult earlier = CompareOptions.earlier(own, asked);
        Scenario scenario = earlier == null ? asked : CompareOptions.withoutClusters(asked, own, problems);
        if (earlier == null
                && scenario.workloads().stream().anyMatch(w -> w.variants().size() < 2)) {
            throw new InvalidPlanException("compare: there is only one variant; give two or more with --vary"
                    + " OPTION=VALUE,VALUE or a scenario, or an earlier result with --baseline FILE.json");
        }
        problems.addAll(ThreadKinds.unanswered(scenario, earlier));
        problems.throwIfAny();
        if (isDry) {
            CompareOptions.Spreads spreads = CompareOptions.spreads(own, scenario);
            List<String> lines = new ArrayList<>(Forecast.lines(scenario, spreads.ofPairs(), spreads.ofClusters()));
            if (scenario.effort().clusters() > 0) {
                lines.add(StartedServers.space(DataHome.of(System.getenv()), Forecast.servers(scenario)));
            }
            if (!spreads.reasons().isEmpty()) {
                lines.add("not valid: the comparison of --spread is not valid (" + Remark.codes(spreads.reasons())
                        + "), so its spreads tell nothing");
            }
            lines.stream().map(Printable::lines).forEach(streams.out()::println);
            return spreads.reasons().isEmpty() ? ExitCode.DONE : ExitCode.NOT_VALID;
        }
        SavedStates states =
                new SavedStates(scenario, DataHome.of(System.getenv()).resolve("comparisons"));
        if (own.get(CompareOptions.RESUME)) {
            states.resume();
        }
        output.prepare();
        tellServer(parsed, scenario.first());
        if (own.get(CompareOptions.RESUME) && !own.get(ReportOptions.QUIET)) {
            streams.progress(SavedStates.TAKEN_OVER + states.takenOver());
        }
        return run(scenario, states, earlier, own, output, parsed);
    }

    /** Several files are probably results, which other tools compare like this. */
    private static void refuseSeveral(ParseResult parsed) {
        List<String> further = parsed.matchedPositionalValue(1, List.of());
        if (!further.isEmpty()) {
            String first = argument(parsed);
            List<String> report = new ArrayList<>(List.of(Subcommand.REPORT.label(), first));
            report.addAll(further);
            if (!report.stream().skip(1).allMatch(CompareCommand::mayBeResult)) {
                throw new InvalidPlanException(
                        "compare: takes one scenario, and not also " + String.join(", ", further));
            }
            throw new InvalidPlanException(Streams.withCommand(
                    "compare: takes one scenario; to tell a difference, vary an option (--vary), or run again with"
                            + " --baseline " + Quoting.shellWord(first) + "; to show results side by side, type:",
                    Argv.command(report)));
        }
    }

    private static boolean mayBeResult(String name) {
        Path file = Path.of(name);
        return Files.exists(file) ? ResultFile.isResult(file) : name.contains(".json");
    }

    /** The other side of a comparison with one result has to be measured. */
    private static void refuseResult(ParseResult parsed) {
        String file = argument(parsed);
        if (!file.isEmpty() && ResultFile.isResult(Path.of(file))) {
            List<String> words = new ArrayList<>(argv(parsed));
            words.remove(file);
            words.addAll(List.of("--baseline", file));
            throw new InvalidPlanException(Streams.withCommand(
                    "compare: " + file + " is a saved result and no scenario; '"
                            + Argv.command(List.of(Subcommand.REPORT.label(), file))
                            + "' shows it; to compare it with a new run, type:",
                    Argv.command(words)));
        }
    }

    private int run(
            Scenario scenario,
            SavedStates states,
            @Nullable EarlierResult earlier,
            Options own,
            ResultOutput output,
            ParseResult parsed)
            throws Exception {
        Interruption interruption = streams.interruption();
        try (RunHosts hosts = hosts(own, Purpose.BLOCK);
                CommandSession session = CommandSession.open(
                        scenario.first(), interruption, NOTHING, streams::note, streams.passwords())) {
            interruption.check();
            states.forgetOthers();
            Runs runs = new Runs(hosts, ceilings(), () -> NOTHING);
            boolean isQuiet = own.get(ReportOptions.QUIET);
            CompareBlocks blocks = new CompareBlocks(session, scenario, new RunsLine(runs, streams, isQuiet));
            List<Comparison> findings = new ArrayList<>();
            RuntimeException failure = null;
            for (Workload workload : scenario.workloads()) {
                if (interruption.isRequested()) {
                    break;
                }
                CompareProgress progress = new CompareProgress(streams.err(), isQuiet, states, workload);
                Comparer comparer = new Comparer(scenario, workload, blocks, progress, earlier, System::nanoTime);
                runs.keeps(progress::kept);
                interruption.enter(runs);
                ComparisonState from = states.from(scenario, workload);
                progress.startsAt(from);
                Ended ended = comparer.run(from);
                if (ended.state().rounds() > 0) {
                    Comparison found = blocks.withDifferences(comparer.comparison(ended, argv(parsed)));
                    findings.add(Failure.cutShort(found, ended.failure(), parsed.originalArgs()));
                }
                failure = ended.failure();
                if (failure != null) {
                    break;
                }
            }
            interruption.enter(
                    CommandPart.uninterruptible("the comparison's teardown and reports", interruption.kept()));
            failure = tornDown(blocks, failure);
            return report(findings, scenario.workloads(), output, failure);
        }
    }

    /** Runs the teardown hooks in any case. Returns the first failure, which the caller reports. */
    private @Nullable RuntimeException tornDown(CompareBlocks blocks, @Nullable RuntimeException failure) {
        try {
            blocks.close();
            return failure;
        } catch (TargetException e) {
            if (failure == null) {
                return e;
            }
            streams.note(String.valueOf(e.getMessage()));
            failure.addSuppressed(e);
            return failure;
        }
    }

    private int report(
            List<Comparison> findings, List<Workload> asked, ResultOutput output, @Nullable RuntimeException failure)
            throws IOException {
        if (findings.isEmpty() && failure == null) {
            return ExitCode.NOT_VALID;
        }
        if (findings.size() < asked.size() && !findings.isEmpty()) {
            streams.note("ended early; not compared: "
                    + asked.stream().skip(findings.size()).map(Workload::name).collect(Collectors.joining(", ")));
        }
        if (!findings.isEmpty()) {
            output.write(findings, streams);
        }
        if (failure != null) {
            throw failure;
        }
        return ExitCode.of(findings);
    }

    /**
     * Runs the blocks of a comparison on real servers. All variants are prepared before the first block. Connections are closed after
     * each block, so waiting variants hold no sessions.
     */
    public static final class CompareBlocks implements BlockRunner, AutoCloseable {
        private final CommandSession session;
        private final Hooks hooks;
        private final RunsLine runs;
        private final Map<RunSpec, PreparedRun> prepared = new LinkedHashMap<>();
        private final Map<RunSpec, PreparedRun> furtherClusters = new LinkedHashMap<>();
        private final Map<ServerRequest, Target> hooked = new LinkedHashMap<>();

        /**
         * Runs the setup hooks, on the first server and on those that are started, and prepares all variants on all of their clusters. If that
         * fails, it runs the teardown hooks. The clusters are made in balanced order: every second set of them backwards.
         */
        CompareBlocks(CommandSession session, Scenario scenario, RunsLine runs) throws InterruptedException {
            this.session = session;
            this.hooks = scenario.hooks();
            this.runs = runs;
            List<RunSpec> specs = scenario.workloads().stream()
                    .flatMap(workload -> workload.variants().stream())
                    .map(Variant::spec)
                    .toList();
            int clusters = Math.max(1, scenario.effort().clusters());
            int servers = Forecast.servers(scenario).size();
            hooked.put(scenario.first().server(), session.connect(scenario.first()));
            if (scenario.effort().clusters() > 0) {
                session.checkRoom(servers - 1);
            }
            List<RunSpec> order = new ArrayList<>(specs);
            for (int cluster = 1; cluster <= clusters; cluster++) {
                for (RunSpec variant : order) {
                    RunSpec spec = variant.withCluster(cluster);
                    if (!hooked.containsKey(spec.server()) && !spec.server().isEmbedded()) {
                        hooked.put(spec.server(), session.connect(spec));
                    }
                }
                Collections.reverse(order);
            }
            try {
                sql(hooks.setup(), "setup", hooked.values());
                for (RunSpec spec : specs) {
                    prepared.put(spec, session.prepareLoad(spec));
                    for (int cluster = 2; cluster <= clusters; cluster++) {
                        RunSpec further = spec.withCluster(cluster);
                        furtherClusters.put(further, session.prepareLoad(further));
                    }
                }
                List<PreparedRun> all = new ArrayList<>(prepared.values());
                all.addAll(furtherClusters.values());
                StartedServers.checkSameData(all);
                all.forEach(StartedServers::rest);
            } catch (RuntimeException | InterruptedException e) {
                try {
                    close();
                } catch (TargetException other) {
                    e.addSuppressed(other);
                }
                throw e;
            }
        }

        @Override
        public RunResult run(Variant variant, int cluster) throws InterruptedException {
            RunSpec spec = variant.spec().withCluster(cluster);
            PreparedRun block = cluster == 1 ? prepared.get(spec) : furtherClusters.get(spec);
            if (block == null) {
                throw new IllegalArgumentException("not prepared: " + variant.name());
            }
            Cluster.check(block.target());
            Target server = hooked.get(spec.server());
            sql(hooks.reset(), "reset", server == null ? hooked.values() : List.of(server));
            RunResult result;
            CommandSession.Altered altered = session.alterServers(block);
            try (altered) {
                result = runs.run(variant.name(), block);
            }
            StartedServers.rest(block);
            if (!session.isRestored()) {
                throw new TargetException(
                        "the comparison ends here: its next block would run with the settings of this one");
            }
            return result;
        }

        /** Runs the teardown hooks. */
        @Override
        public void close() {
            sql(hooks.teardown(), "teardown", hooked.values());
        }

        /** The comparison with a remark on settings that differ between the servers that were started. */
        Comparison withDifferences(Comparison comparison) {
            List<Remark> remarks = new ArrayList<>(comparison.warnings());
            remarks.addAll(StartedServers.differences(prepared.values()));
            return Records.with(
                    comparison, "validity", new Validity(comparison.valid(), comparison.reasons(), remarks));
        }

        private static void sql(List<String> texts, String hook, Collection<Target> servers) {
            for (Target server : texts.isEmpty() ? List.<Target>of() : servers) {
                try (Connection connection = server.first().connector().open(SessionPurpose.CONTROL)) {
                    ControlSql.execute(connection, texts.toArray(String[]::new));
                } catch (SQLException e) {
                    throw new TargetException("hooks." + hook + ": " + e.getMessage(), e);
                }
            }
        }
    }

    /** Prints one line per round on stderr, and saves the state of the comparison for {@code --resume}. */
    public static final class CompareProgress implements CompareListener {
        private static final String RATE = "opsPerSecond";

        private final PrintStream err;
        private final boolean quiet;
        private final SavedStates states;
        private final Workload workload;
        private volatile int rounds;

        public CompareProgress(PrintStream err, boolean quiet, SavedStates states, Workload workload) {
            this.err = err;
            this.quiet = quiet;
            this.states = states;
            this.workload = workload;
        }

        @Override
        public void settling(String variant) {
            if (!quiet) {
                err.println(Printable.line("settling: " + variant));
            }
        }

        /** Takes the number of complete rounds from a resumed state. */
        public void startsAt(ComparisonState state) {
            rounds = state.rounds();
        }

        /** What an interrupted comparison leaves behind. */
        public String kept() {
            int complete = rounds;
            return complete == 0
                    ? "no round was complete, so there is no report"
                    : "the report covers " + (complete == 1 ? "1 complete round" : complete + " complete rounds")
                            + "; run the same command with --resume to continue";
        }

        @Override
        public void round(ComparisonState state, Supplier<List<Effect>> soFar) {
            rounds = state.rounds();
            keep(state);
            if (quiet) {
                return;
            }
            StringBuilder line =
                    new StringBuilder("round ").append(state.rounds()).append(':');
            state.blocks().stream()
                    .filter(b -> b.round() == state.rounds() - 1)
                    .forEach(b -> line.append(' ')
                            .append(b.variant())
                            .append(' ')
                            .append(Figures.rate(b.metrics().getOrDefault(RATE, 0.0)))
                            .append("/s,"));
            line.setLength(line.length() - 1);
            Set<String> told = new HashSet<>();
            soFar.get().stream()
                    .filter(e -> told.add(e.variant())) // the first of a variant is of the metric that decides
                    .forEach(e -> line.append("; ratio of ")
                            .append(e.metric().equals(RATE) ? "" : "the " + e.metric() + " response time of ")
                            .append(e.variant())
                            .append(' ')
                            .append(Figures.ratio(e.ratio()))
                            .append(" (")
                            .append(Figures.ratio(e.low()))
                            .append(" to ")
                            .append(Figures.ratio(e.high()))
                            .append(')'));
            err.println(Printable.line(line.toString()));
        }

        private void keep(ComparisonState state) {
            try {
                states.keep(workload, state);
            } catch (IOException e) {
                throw new UncheckedIOException("the state of the comparison cannot be saved: " + e.getMessage(), e);
            }
        }
    }
}
