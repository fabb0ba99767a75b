package io.pgstress.cli;

import static io.pgstress.plan.option.Group.SEARCH;

import io.pgstress.compare.ClimbEvaluation;
import io.pgstress.compare.Climber;
import io.pgstress.compare.Climber.Climbed;
import io.pgstress.compare.LimitSearch;
import io.pgstress.compare.LimitSearch.Found;
import io.pgstress.compare.Measurement;
import io.pgstress.compare.Measurement.StepStability;
import io.pgstress.compare.RateSearchEvaluation;
import io.pgstress.interrupt.CommandPart;
import io.pgstress.interrupt.Interruption;
import io.pgstress.measure.Phase;
import io.pgstress.plan.Purpose;
import io.pgstress.plan.RateLimit;
import io.pgstress.plan.RunOptions;
import io.pgstress.plan.RunSpec;
import io.pgstress.plan.option.Durations;
import io.pgstress.plan.option.Forms;
import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.plan.option.Option;
import io.pgstress.plan.option.Options;
import io.pgstress.plan.option.Problems;
import io.pgstress.result.RateSearch;
import io.pgstress.result.Result;
import io.pgstress.result.RunResult;
import io.pgstress.result.Scaling;
import io.pgstress.runner.Stop.StopCause;
import io.pgstress.session.CommandSession;
import io.pgstress.session.FreeConnections;
import io.pgstress.session.PreparedRun;
import io.pgstress.session.Runs;
import io.pgstress.session.Runs.RunHosts;
import io.pgstress.text.Counted;
import io.pgstress.text.Rounded;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ParseResult;

/** {@code stress tune}: searches for the number of clients, or for the highest rate that keeps limits. */
final class TuneCommand extends RunOptionsCommand {
    private static final Option<Integer> MAX_CLIENTS = Option.of(
                    "max-clients", "N", Forms.integer(2, RunOptions.MAX_CLIENTS))
            .byDefault("1024")
            .help(SEARCH, "highest number of clients", "It is never more than the server's free connections.");

    private static final Option<Duration> REPEAT_LIMIT = Option.of("repeat-limit", "TIME", Durations::parse)
            .byDefault("5m")
            .help(
                    SEARCH,
                    "longest time to repeat steps around the knee",
                    "They are measured again until the confidence intervals settle where the knee is. 0: never, and"
                            + " the knee stays undetermined.");

    private static final Option<List<RateLimit>> LIMIT = Option.list("limit", "LIMIT", RateLimit::parse)
            .help(
                    SEARCH,
                    "highest rate that keeps a limit, such as p99<10ms",
                    "The search is for the rate of an open loop of --clients, instead of their number. Limits of p50"
                            + " to p99.9, max and errors are possible. It may be repeated.");

    private static final List<Option<?>> OWN = Option.join(
            ReportOptions.OF_FINDING,
            FleetOptions.OF_LOAD,
            List.of(LIMIT, ofClients(MAX_CLIENTS), ofClients(REPEAT_LIMIT)));

    private static final String NOTHING = "nothing was measured";

    TuneCommand(Streams streams) {
        super(streams, Subcommand.TUNE, Purpose.SEARCH, OWN);
    }

    /**
     * What a search found.
     *
     * @param result null if no step was complete
     * @param failure what ended the search early; null: nothing, or a signal
     */
    private record Outcome(
            @Nullable Result result, @Nullable RuntimeException failure) {}

    @Override
    int run(ParseResult parsed, Options own, Problems problems) throws Exception {
        boolean isForRate = !own.get(LIMIT).isEmpty();
        Purpose purpose = isForRate ? Purpose.RATE_SEARCH : Purpose.SEARCH;
        ResultOutput output = new ResultOutput(own);
        RunSpec first = READER.read(given(parsed, purpose), onHosts(own, purpose), problems);
        problems.throwIfAny();
        output.prepare();
        tellServer(parsed, first);
        Interruption interruption = streams.interruption();
        AtomicInteger measured = new AtomicInteger(isForRate ? -1 : 0); // the closed loop first is no step
        Consumer<String> progress = line -> {
            measured.incrementAndGet();
            if (!own.get(ReportOptions.QUIET)) {
                streams.progress(line);
            }
        };
        try (RunHosts hosts = hosts(own, purpose);
                CommandSession session =
                        CommandSession.open(first, interruption, NOTHING, streams::note, streams.passwords())) {
            Runs runs = new Runs(hosts, ceilings(), () -> kept(measured.get()));
            PreparedRun prepared = session.prepare(first);
            int clients = isForRate ? 0 : maxClients(prepared, own.get(MAX_CLIENTS), hosts);
            Outcome outcome;
            CommandSession.Altered altered = session.alterServers(prepared);
            try (altered) {
                interruption.check();
                interruption.enter(runs);
                RunsLine line = new RunsLine(runs, streams, own.get(ReportOptions.QUIET));
                outcome = isForRate
                        ? rate(new RateTrials(session, first, line, own.get(LIMIT), progress), own.get(LIMIT), parsed)
                        : knee(new TuneSteps(session, first, line, progress), hosts.count(), clients, own, parsed);
            }
            interruption.enter(CommandPart.uninterruptible("the reports to be written", interruption.kept()));
            if (outcome.result() != null) {
                output.write(List.of(outcome.result()), streams);
            }
            if (outcome.failure() != null) {
                throw outcome.failure();
            }
            if (outcome.result() != null && !session.isRestored()) {
                return ExitCode.TARGET;
            }
            return ExitCode.of(Stream.ofNullable(outcome.result()).toList());
        }
    }

    private static Outcome knee(TuneSteps steps, int hosts, int maxClients, Options own, ParseResult parsed) {
        Climbed climbed = new Climber(steps, hosts, maxClients, own.get(REPEAT_LIMIT), System::nanoTime).climb();
        if (climbed.steps().isEmpty()) {
            return new Outcome(null, climbed.failure());
        }
        Scaling found = ClimbEvaluation.of(climbed, argv(parsed));
        return new Outcome(Failure.cutShort(found, climbed.failure(), parsed.originalArgs()), climbed.failure());
    }

    private static Outcome rate(RateTrials trials, List<RateLimit> limits, ParseResult parsed) {
        double seconds = trials.first().phases().measure().toNanos() / 1e9;
        Found found = new LimitSearch(trials, limits, seconds, System::nanoTime).search();
        if (found.trials().isEmpty()) {
            return new Outcome(null, found.failure());
        }
        RateSearch result = RateSearchEvaluation.of(found, limits, trials.results(), argv(parsed));
        return new Outcome(Failure.cutShort(result, found.failure(), parsed.originalArgs()), found.failure());
    }

    private static <T> Option<T> ofClients(Option<T> option) {
        return option.refusedIf(o -> o.isGiven(option) && !o.get(LIMIT).isEmpty()
                ? "is for the search for the number of clients; with --limit, leave it out"
                : "");
    }

    private static int maxClients(PreparedRun run, int limit, RunHosts hosts) {
        int clients = Math.min(
                limit, FreeConnections.maxClients(run.target(), run.spec().pool()));
        if (clients < hosts.count()) {
            throw new InvalidPlanException("--agents: " + hosts.count()
                    + " hosts need at least as many clients, and at most " + clients + " are possible");
        }
        return clients;
    }

    private static String kept(int steps) {
        return steps <= 0
                ? "no step was complete, so there is no report"
                : "the report covers " + (steps == 1 ? "1 complete step" : steps + " complete steps")
                        + "; another search starts from the beginning";
    }

    private static String line(Measurement m) {
        return Rounded.format(
                "%s%s: %,.0f ops/s, p99 %.2f ms, measured for %.1f s",
                hosts(m.result().hosts().size()),
                Counted.of(m.step().clients(), "client"),
                m.step().opsPerSecond(),
                m.step().latencyMicros().p99() / 1e3,
                m.step().seconds());
    }

    private static String hosts(int number) {
        return number == 0 ? "" : number == 1 ? "1 host, " : number + " hosts, ";
    }

    /** Runs the steps of a search, each until its throughput is precise enough or its time is over. */
    private static final class TuneSteps implements Climber.Steps {
        private final CommandSession session;
        private final RunSpec first;
        private final RunsLine runs;
        private final Consumer<String> progress;

        /** @param first the run; each step changes its number of clients */
        TuneSteps(CommandSession session, RunSpec first, RunsLine runs, Consumer<String> progress) {
            this.session = session;
            this.first = first;
            this.runs = runs;
            this.progress = progress;
        }

        @Override
        public Measurement measure(int clients) throws InterruptedException {
            RunSpec spec = first.withClients(clients);
            StepStability levels = new StepStability();
            PreparedRun prepared = RateTrials.prepareStep(session, spec);
            RunResult result = runs.run(Counted.of(clients, "client"), prepared, (phase, interval) -> {
                if (phase == Phase.MEASURE
                        && levels.isEnoughAfter(interval.get().rates().opsPerSecond())) {
                    runs.runs().endMeasurement(StopCause.MEASURED_ENOUGH);
                }
            });
            Measurement measurement =
                    Measurement.of(clients, result, spec.phases().interval());
            progress.accept(line(measurement));
            return measurement;
        }
    }
}
