package io.pgstress.cli;

import io.pgstress.cli.output.Streams;
import io.pgstress.interrupt.Interruption;
import io.pgstress.interrupt.Notices;
import io.pgstress.interrupt.Signals;
import io.pgstress.operation.catalog.Operations;
import io.pgstress.plan.option.Nearest;
import io.pgstress.report.live.Terminal;
import io.pgstress.target.driver.Connector;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;

/** The program's entry, and the only place that ends the process. */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        Streams plain = new Streams(
                new PrintStream(System.out, true, StandardCharsets.UTF_8),
                new PrintStream(System.err, true, StandardCharsets.UTF_8));
        Notices notices =
                new Notices(plain.err(), Terminal.stderr(System.getenv()).isTerminal());
        Interruption interruption = new Interruption(notices, Runtime.getRuntime()::halt);
        int code;
        try (Signals signals = Signals.to(interruption)) {
            code = run(new Streams(plain.out(), plain.err(), interruption), args);
        }
        System.exit(code);
    }

    /** Runs a command line; returns the exit code. Used by tests too, which have streams of their own. */
    static int run(Streams streams, String... args) {
        boolean verbose = Arrays.asList(args).contains("--verbose");
        CommandLine line = commandLine(streams);
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        line.setExecutionExceptionHandler((e, command, parsed) -> {
            failure.set(e);
            return tell(e, streams, verbose);
        });
        line.setParameterExceptionHandler((e, argv) -> {
            String message = String.valueOf(e.getMessage());
            streams.err().println("stress: " + message.replaceAll("\\s+", " ") + "; " + hint(e));
            return ExitCode.USAGE;
        });
        int code;
        try {
            code = line.execute(args);
        } catch (OutOfMemoryError e) { // picocli passes on anything but exceptions
            code = Failure.tell(e, streams.err(), verbose);
        }
        Interruption interruption = streams.interruption();
        code = interruption.end(code);
        if (interruption.isRequested()) {
            Failure.tellInterrupted(interruption, failure.get(), streams.err());
        }
        if (streams.out().checkError()) { // a PrintStream keeps what went wrong to itself
            streams.err().println("stress: stdout: not all of it could be written");
            return code == ExitCode.DONE ? ExitCode.USAGE : code;
        }
        return code;
    }

    private static int tell(Exception e, Streams streams, boolean verbose) {
        boolean isEnding = streams.interruption().isRequested() && Failure.isEnding(e);
        return isEnding && !verbose ? ExitCode.INTERRUPTED : Failure.tell(e, streams.err(), verbose);
    }

    /** What may have been meant, or where to look. */
    private static String hint(CommandLine.ParameterException e) {
        if (!(e instanceof CommandLine.UnmatchedArgumentException unknown)) {
            return "see --help";
        }
        String word = unknown.getUnmatched().get(0).replaceFirst("=.*", "");
        CommandLine command = e.getCommandLine();
        Set<String> known = word.startsWith("--")
                ? command.getCommandSpec().optionsMap().keySet()
                : command.getSubcommands().keySet();
        return Nearest.of(word, known).map(w -> "did you mean " + w + "?").orElse("see --help");
    }

    /** The commands, a line each. */
    private static CommandLine commandLine(Streams streams) {
        CommandLine line = new CommandLine(RunCommand.spec(streams));
        line.addSubcommand(new CommandLine(CompareCommand.spec(streams)));
        line.addSubcommand(new CommandLine(TuneCommand.spec(streams)));
        line.addSubcommand(new CommandLine(ImportCommand.spec(streams)));
        line.addSubcommand(new CommandLine(GenerateCommand.spec(streams)));
        line.addSubcommand(new CommandLine(ExplainCommand.spec(streams)));
        line.addSubcommand(new SettingsCommand(streams));
        line.addSubcommand(new CommandLine(ReportCommand.spec(streams)));
        String[] version = version();
        line.getCommandSpec().version(version);
        line.getSubcommands()
                .values()
                .forEach(command -> command.getCommandSpec().version(version));
        line.getCommandSpec().usageMessage().footer(operations());
        line.getSubcommands()
                .values()
                .forEach(command -> command.getCommandSpec().usageMessage().footer(ExitCode.HELP));
        line.setOut(Streams.writer(streams.out()));
        line.setErr(Streams.writer(streams.err()));
        return line;
    }

    /** The operations of --op, a line each, and the exit codes. */
    private static String[] operations() {
        List<String> lines = new ArrayList<>(List.of("", "Operations for --op:"));
        Operations.ALL.forEach(
                type -> lines.add(String.format(Locale.ROOT, "  %-21s %s", type.name(), type.summary())));
        lines.addAll(List.of(ExitCode.HELP));
        return lines.toArray(String[]::new);
    }

    private static String[] version() {
        String own = Optional.ofNullable(Main.class.getPackage().getImplementationVersion())
                .orElse("development");
        return new String[] {
            "pgstress " + own,
            Connector.driverVersion(),
            "Java " + Runtime.version() + ", " + System.getProperty("os.name")
        };
    }
}
