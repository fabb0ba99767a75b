package io.pgstress.cli;

import static io.pgstress.plan.option.Group.NONE;

import io.pgstress.cli.ReportOptions.Listening;
import io.pgstress.extra.baseline.Ceilings;
import io.pgstress.extra.baseline.Ceilings.Ceiling;
import io.pgstress.extra.baseline.InstantServer;
import io.pgstress.importer.BundledData;
import io.pgstress.interrupt.CommandPart;
import io.pgstress.interrupt.Interruption;
import io.pgstress.plan.Endpoint;
import io.pgstress.plan.Phases;
import io.pgstress.plan.Purpose;
import io.pgstress.plan.RunOptions;
import io.pgstress.plan.RunSpec;
import io.pgstress.plan.StatementMode;
import io.pgstress.plan.WeightedOperation;
import io.pgstress.plan.option.Option;
import io.pgstress.plan.option.Options;
import io.pgstress.plan.option.Problems;
import io.pgstress.report.file.ResultFile;
import io.pgstress.report.format.Figures;
import io.pgstress.report.format.ResultLine;
import io.pgstress.report.live.Terminal;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.RunResult;
import io.pgstress.session.CommandSession;
import io.pgstress.target.driver.TargetException;
import io.pgstress.target.embedded.EmbeddedServer;
import io.pgstress.target.embedded.EmbeddedServer.DataHome;
import io.pgstress.text.Counted;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.ParseResult;

/**
 * {@code stress baseline}: how many operations per second the load generator can do at most, by the CPU time that it needs for one against
 * a server that answers at once. Each measurement is a run in a process of its own, as users run it.
 */
final class BaselineCommand extends RunOptionsCommand {
    private static final Option<Optional<Listening>> SERVE = Option.optional("serve", "[HOST:]PORT", Listening::parse)
            .refusedIf(BaselineCommand::refused)
            .help(
                    NONE,
                    "only runs the server that answers at once, for clients on other hosts",
                    "It answers until it is interrupted. Without HOST, it listens on loopback.");

    private static final Option<Boolean> SERVE_OTHERS = Option.flag("serve-others")
            .needs(() -> BaselineCommand.SERVE, "has no effect without --serve")
            .help(
                    NONE,
                    "permit --serve for other hosts",
                    "Whoever reaches the address is superuser of the server: only for closed test networks.");

    private static final List<Option<?>> OWN =
            Option.join(FleetOptions.OF_LOAD, List.of(SERVE, SERVE_OTHERS, ReportOptions.VERBOSE));

    /** The options of the server that the session starts, which the measured runs do not start again. */
    private static final List<Option<?>> STARTED =
            List.of(RunOptions.START_SERVER, RunOptions.SERVER_SET, RunOptions.DUMP);

    /** With these phases, the three statement modes of one operation take about 30 s. */
    private static final String WARMUP = "3s";

    private static final String DURATION = "5s";

    private static final Purpose PURPOSE = Purpose.RUN
            .withDefault("op", "find_first")
            .withDefault("warmup", WARMUP)
            .withDefault("duration", DURATION);

    /** Clients that fill their cores wait for each other, which is no fault here. */
    private static final String ACCEPTED = Stream.of(RemarkCode.CLIENT_STARVED, RemarkCode.IDLE_CLIENTS)
            .map(code -> code.name().toLowerCase(Locale.ROOT))
            .collect(Collectors.joining(","));

    /** The usual time of a measurement beside its phases: the start of its JVM, connecting, checks. */
    private static final double OVERHEAD_SECONDS = 2;

    private static final String NOTHING = "no ceiling was kept";

    private volatile String kept = NOTHING;

    BaselineCommand(Streams streams) {
        super(streams, Subcommand.BASELINE, PURPOSE, OWN);
    }

    private static String refused(Options own) {
        if (own.get(SERVE).isEmpty()) {
            return "";
        }
        InetSocketAddress at = where(own.get(SERVE).get());
        if (at.isUnresolved()) {
            return "unknown host: " + at.getHostString();
        }
        return at.getAddress().isLoopbackAddress() || own.get(BaselineCommand.SERVE_OTHERS)
                ? ""
                : "makes whoever reaches " + at.getHostString()
                        + " superuser of the server; permit that with --serve-others, in closed test networks only";
    }

    private static InetSocketAddress where(Listening at) {
        return at.host().isEmpty()
                ? new InetSocketAddress(InetAddress.getLoopbackAddress(), at.port())
                : new InetSocketAddress(at.host(), at.port());
    }

    /** How clients name the address: the host's name if it is any of its addresses. */
    private static String name(InetAddress address) throws IOException {
        if (address.isAnyLocalAddress()) {
            return InetAddress.getLocalHost().getHostName();
        }
        String text = address.getHostAddress();
        return text.contains(":") ? "[" + text + "]" : text;
    }

    @Override
    int run(ParseResult parsed, Options own, Problems problems) throws Exception {
        RunSpec asked = READER.read(given(parsed, PURPOSE), onHosts(own, PURPOSE), problems);
        if (own.get(SERVE).isPresent() && !asked.endpoints().isEmpty()) {
            problems.add(SERVE, "starts the server behind it: leave out --url");
        }
        if (own.get(FleetOptions.AGENTS).isPresent() && asked.endpoints().isEmpty()) {
            problems.add(FleetOptions.AGENTS, "needs --url with the line that --serve prints");
        }
        problems.throwIfAny();
        tellServer(parsed, asked);
        if (!asked.endpoints().isEmpty()) {
            return measure(parsed, asked, List.of());
        }
        Interruption interruption = streams.interruption();
        try (CommandSession session =
                CommandSession.open(asked, interruption, NOTHING, streams::note, streams.passwords())) {
            RunSpec prepared = session.prepare(asked).spec();
            Endpoint real = prepared.endpoints().get(0);
            InetSocketAddress where = where(own.get(SERVE).orElse(new Listening("", 0)));
            try (InstantServer server = listen(where, new InetSocketAddress(real.host(), real.port()))) {
                List<String> named = List.of(
                        "--url",
                        real.at(name(where.getAddress()), server.port()).url(),
                        "--table",
                        prepared.table().orElse(BundledData.DEFAULT_TABLE).toString());
                return own.get(SERVE).isPresent() ? serve(named, interruption) : measure(parsed, asked, named);
            }
        }
    }

    private static InstantServer listen(InetSocketAddress where, InetSocketAddress real) {
        try {
            return new InstantServer(where, real);
        } catch (IOException e) {
            throw new TargetException("--serve: cannot listen on " + where + ": " + e.getMessage(), e);
        }
    }

    private int serve(List<String> named, Interruption interruption) throws InterruptedException {
        CountDownLatch end = new CountDownLatch(1);
        interruption.enter(new CommandPart.Described("", "the server that answers at once has ended", end::countDown));
        streams.note("answers at once at " + named.get(1));
        streams.out()
                .println(Argv.command(
                        Stream.concat(Stream.of("baseline"), named.stream()).toList()));
        end.await();
        return ExitCode.DONE;
    }

    /** @param server the options that name the server, if the command line does not */
    private int measure(ParseResult parsed, RunSpec asked, List<String> server) throws Exception {
        Map<String, List<String>> given = new LinkedHashMap<>(given(parsed, PURPOSE));
        given.putAll(given(parsed, OWN));
        given.putIfAbsent("warmup", List.of(WARMUP));
        given.putIfAbsent("duration", List.of(DURATION));
        List<String> accepted = new ArrayList<>(given.getOrDefault(RunOptions.ACCEPT.name(), List.of()));
        accepted.add(ACCEPTED);
        given.put(RunOptions.ACCEPT.name(), accepted);
        if (!server.isEmpty()) {
            STARTED.forEach(option -> given.remove(option.name()));
            given.remove(RunOptions.TABLE.name());
        }
        List<StatementMode> modes = given.containsKey(RunOptions.STATEMENT.name())
                ? List.of(asked.statement())
                : List.of(StatementMode.PREPARED, StatementMode.EXTENDED, StatementMode.PLAIN);
        List<String> operations = WeightedOperation.names(asked.options().get(RunOptions.OP));
        announce(asked.phases(), modes.size() * operations.size());
        long start = System.nanoTime();
        List<RunResult> results = new ArrayList<>();
        Ceilings ceilings = new Ceilings(DataHome.of(System.getenv()));
        Path directory = Files.createTempDirectory("pgstress-baseline");
        try {
            streams.out().println("operation      statement     ops/s CPU per op  ceiling/s  result");
            for (StatementMode mode : modes) {
                for (String operation : operations) {
                    given.put(RunOptions.STATEMENT.name(), List.of(mode.label()));
                    given.put(RunOptions.OP.name(), List.of(operation));
                    RunResult measured = run(given, server, directory.resolve("result.json"));
                    Ceiling ceiling = Ceilings.shown(measured)
                            .orElseThrow(
                                    () -> new TargetException(operation + " was not done: no ceiling was measured"));
                    RunResult result = Ceilings.judged(measured, ceiling);
                    results.add(result);
                    if (result.valid()) {
                        ceilings.keep(operation, result, ceiling);
                        kept = "the valid ceilings that were shown are kept";
                    }
                    streams.out()
                            .printf(
                                    Locale.ROOT,
                                    "%-14s %-9s %,9.0f %,7.1f us %,10.0f  %s%n",
                                    operation,
                                    mode.label(),
                                    result.total().opsPerSecond(),
                                    ceiling.cpuMicros(),
                                    ceiling.opsPerSecond(),
                                    ResultLine.state(result));
                    result.reasons()
                            .forEach(reason -> streams.error(
                                    operation + ", " + mode.label() + ": not kept: " + reason.sentences()));
                }
            }
        } finally {
            EmbeddedServer.deleteAll(directory);
        }
        long valid = results.stream().filter(RunResult::valid).count();
        streams.note(Counted.of(valid, "ceiling") + " kept after "
                + Figures.about((System.nanoTime() - start) / 1e9)
                + ": later results of such operations say how near the load generator was to its ceiling");
        return ExitCode.of(results);
    }

    private void announce(Phases phases, int measurements) {
        double each = (phases.maxWarmup().toNanos() + phases.measure().toNanos()) / 1e9 + OVERHEAD_SECONDS;
        streams.note(Counted.of(measurements, "measurement") + ": about " + Figures.about(measurements * each));
    }

    /** Runs a load in another process of this program, with the options of its JVM. */
    private RunResult run(Map<String, List<String>> options, List<String> server, Path file) throws Exception {
        List<String> words = new ArrayList<>(jvm());
        options.forEach((name, texts) -> texts.forEach(text -> {
            words.add("--" + name);
            if (!text.equals("true")) {
                words.add(text);
            }
        }));
        words.addAll(server);
        words.addAll(List.of("--quiet", "--json", file.toString()));
        Process process = new ProcessBuilder(words)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        streams.interruption().enter(new Measured(process, kept));
        try {
            int code = process.waitFor();
            streams.interruption().check();
            if (!ExitCode.hasResult(code) || !(ResultFile.read(file) instanceof RunResult result)) {
                throw new TargetException("the run ended with exit code " + code);
            }
            return result;
        } finally {
            process.destroy();
        }
    }

    /** A terminal sends its signal to the process, too; another would be its second one. */
    private record Measured(Process process, String kept) implements CommandPart {
        @Override
        public String waitingFor() {
            return "the run to end";
        }

        @Override
        public void stop() {
            if (!Terminal.stderr(System.getenv()).isTerminal()) {
                process.destroy();
            }
        }

        @Override
        public void abort() {
            process.destroy();
        }
    }

    private static List<String> jvm() {
        List<String> words = new ArrayList<>();
        words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        words.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        String path = System.getProperty("java.class.path");
        words.addAll(
                path.endsWith(".jar") && !path.contains(System.getProperty("path.separator"))
                        ? List.of("-jar", path)
                        : List.of("-cp", path, Main.class.getName()));
        return words;
    }
}
