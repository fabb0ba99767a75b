package io.pgstress.cli;

import io.pgstress.compare.ClimbEvaluation;
import io.pgstress.compare.Climber;
import io.pgstress.compare.Climber.Climbed;
import io.pgstress.compare.Measurement;
import io.pgstress.compare.StepStability;
import io.pgstress.interrupt.Interruption;
import io.pgstress.interrupt.Interruption.InterruptedCommandException;
import io.pgstress.interrupt.Part;
import io.pgstress.measure.Phase;
import io.pgstress.plan.Purpose;
import io.pgstress.plan.RunSpec;
import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.plan.option.Option;
import io.pgstress.plan.option.Options;
import io.pgstress.plan.option.Problems;
import io.pgstress.result.IntervalResult;
import io.pgstress.result.RunResult;
import io.pgstress.result.Scaling;
import io.pgstress.runner.CommandSession;
import io.pgstress.runner.CommandSession.PreparedRun;
import io.pgstress.runner.FreeConnections;
import io.pgstress.runner.RunListener;
import io.pgstress.runner.Stop.StopCause;
import io.pgstress.text.Rounded;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import picocli.CommandLine.ParseResult;

/** {@code stress tune}: searches for the number of clients. */
final class TuneCommand extends LoadCommand {
    private static final List<Option<?>> OWN = ReportOptions.with(
            ReportOptions.with(ReportOptions.OF_FINDING, FleetOptions.OF_LOAD.toArray(Option<?>[]::new)),
            ClimbLimits.OPTIONS.toArray(Option<?>[]::new));

    private static final String NOTHING = "nothing was measured";

    TuneCommand(Streams streams) {
        super(streams, Subcommand.TUNE, Purpose.SEARCH, OWN, ReportOptions.FILES_OF_RUNS);
        spec.usageMessage()
                .description(
                        Subcommand.TUNE.description(),
                        "The exit code is 0 even if the knee is not determined; the report then says so, and the JSON"
                                + " has no 'knee'. It is 1 if a step is not valid, or if no load is within the latency"
                                + " limit.");
    }

    @Override
    int run(ParseResult parsed, Options own, Problems problems) throws Exception {
        return search(streams, own, parsed, problems);
    }

    /**
     * Searches for the number of clients and reports the result.
     *
     * @param own the options of reports and of {@link ClimbLimits}
     */
    static int search(Streams streams, Options own, ParseResult parsed, Problems problems) throws Exception {
        ResultOutput output = ResultOutput.of(own, false, problems);
        ClimbLimits limits = ClimbLimits.of(own);
        RunSpec first = READER.read(given(parsed, Purpose.SEARCH), onHosts(own, Purpose.SEARCH), problems);
        problems.throwIfAny();
        output.prepare();
        tellServer(streams, parsed, first.endpoints());
        boolean quiet = own.get(ReportOptions.QUIET);
        Interruption interruption = streams.interruption();
        AtomicInteger measured = new AtomicInteger();
        try (LoadHosts loadHosts = loadHosts(streams, own, Purpose.SEARCH);
                CommandSession session = CommandSession.open(first.endpoints(), interruption, NOTHING, streams::note)) {
            LoadPart load = new LoadPart(loadHosts, () -> kept(measured.get()));
            TuneSteps steps = new TuneSteps(session, first, load, m -> {
                measured.incrementAndGet();
                if (!quiet) {
                    streams.err().println(line(m));
                }
            });
            double limit = first.failures().latencyLimit().toNanos() / 1e3;
            PreparedRun prepared = session.prepare(first);
            int clients = maxClients(prepared, limits, loadHosts);
            Climbed climbed;
            CommandSession.Altered altered = session.alterServers(prepared);
            try (altered) {
                interruption.check();
                interruption.enter(load);
                climbed = new Climber(steps, loadHosts.hosts(), clients, limit, limits.repeats(), System::nanoTime)
                        .climb();
            }
            interruption.enter(Part.uninterruptible("the reports to be written", interruption.kept()));
            RuntimeException failure = climbed.failure();
            if (climbed.steps().isEmpty()) {
                if (failure != null) {
                    throw failure;
                }
                return ExitCode.LIMIT_BROKEN;
            }
            Scaling found = ClimbEvaluation.of(climbed, limit, argv(parsed));
            output.write(List.of(found), streams);
            if (failure != null) {
                throw failure;
            }
            if (!session.isRestored()) {
                return ExitCode.TARGET;
            }
            boolean broken = !found.valid() || (limit > 0 && found.withinLimit() == null);
            return broken ? ExitCode.LIMIT_BROKEN : ExitCode.DONE;
        }
    }

    private static int maxClients(PreparedRun run, ClimbLimits limits, LoadHosts loadHosts) {
        int clients = Math.min(
                limits.clients(),
                FreeConnections.maxClients(run.target(), run.spec().pool()));
        if (clients < loadHosts.hosts()) {
            throw new InvalidPlanException("--agents: " + loadHosts.hosts()
                    + " hosts need at least as many clients, and at most " + clients + " are possible");
        }
        return clients;
    }

    private static String kept(int steps) {
        return steps == 0
                ? "no step was complete, so there is no report"
                : "the report covers " + (steps == 1 ? "1 complete step" : steps + " complete steps")
                        + "; another search starts from the beginning";
    }

    private static String line(Measurement m) {
        return Rounded.format(
                "%s%d clients: %.1f/s, p99 %.3f ms, %.1f s",
                hosts(m.result().hosts().size()),
                m.step().clients(),
                m.step().opsPerSecond(),
                m.step().latencyMicros().p99() / 1e3,
                m.step().seconds());
    }

    private static String hosts(int number) {
        return number == 0 ? "" : number == 1 ? "1 host, " : number + " hosts, ";
    }

    /** Runs the steps of a search, each until its throughput is precise enough or its time is over. */
    public static final class TuneSteps implements Climber.Steps {
        private final CommandSession session;
        private final RunSpec first;
        private final LoadPart load;
        private final Consumer<Measurement> listener;

        /** @param first the run; each step changes its number of clients */
        public TuneSteps(CommandSession session, RunSpec first, LoadPart load, Consumer<Measurement> listener) {
            this.session = session;
            this.first = first;
            this.load = load;
            this.listener = listener;
        }

        @Override
        public Measurement measure(int clients) throws InterruptedException {
            RunSpec spec = first.withClients(clients);
            StepStability levels = new StepStability();
            RunResult result = load.runWhole(prepare(spec), new RunListener() {
                @Override
                public void settled(Phase phase, Supplier<IntervalResult> interval) {
                    if (phase == Phase.MEASURE
                            && levels.isEnoughAfter(interval.get().opsPerSecond())) {
                        load.endMeasurement(StopCause.MEASURED_ENOUGH);
                    }
                }
            });
            Measurement measurement =
                    Measurement.of(clients, result, spec.phases().interval());
            listener.accept(measurement);
            return measurement;
        }

        private PreparedRun prepare(RunSpec spec) throws InterruptedException {
            try {
                return session.prepareLoad(spec);
            } catch (InterruptedCommandException e) {
                throw new InterruptedException("stopped"); // the steps before this one are reported
            }
        }
    }
}
