package io.pgstress.cli;

import io.pgstress.interrupt.Interruption;
import io.pgstress.interrupt.Interruption.Notices;
import io.pgstress.interrupt.Signals;
import io.pgstress.plan.option.Nearest;
import io.pgstress.plan.option.OptionNames;
import io.pgstress.report.live.Terminal;
import io.pgstress.text.Secrets;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The entry point of the program. Only this class ends the process. */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        Notices notices = new Notices(
                new PrintStream(System.err, true, StandardCharsets.UTF_8),
                Terminal.stderr(System.getenv()).isTerminal());
        Streams plain = new Streams(
                new PrintStream(notices.clearedFor(System.out), true, StandardCharsets.UTF_8),
                new PrintStream(notices.clearedFor(System.err), true, StandardCharsets.UTF_8));
        Interruption interruption = new Interruption(notices, Runtime.getRuntime()::halt);
        int code;
        // printing the version is too short to interrupt: handling signals takes longer
        try (Signals signals = Version.isAsked(List.of(args)) ? null : Signals.to(interruption)) {
            Streams streams = Command.onTerminal(plain, interruption, List.of(args));
            Thread.setDefaultUncaughtExceptionHandler(Failure.ofThreads(streams, List.of(args)));
            code = run(streams, args);
        }
        System.exit(code);
    }

    /** Runs a command line and returns the exit code. Tests call it with their own streams. */
    static int run(Streams streams, String... args) {
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        int code = ExitCode.DONE;
        if (Version.isAsked(List.of(args))) {
            Version.print(streams.out());
        } else {
            code = execute(streams, failure, args);
        }
        Interruption interruption = streams.interruption();
        code = interruption.end(code);
        if (interruption.isRequested()) {
            Failure.tellInterrupted(interruption, failure.get(), streams, List.of(args));
        }
        if (streams.out().checkError() && !isPipe()) { // a PrintStream throws nothing
            streams.error("stdout: not all of it could be written");
            return code == ExitCode.DONE ? ExitCode.USAGE : code;
        }
        return code;
    }

    /** Whether stdout is a pipe, whose reader may have read enough, as {@code head} does. Unknown is yes. */
    private static boolean isPipe() {
        try {
            return Files.readSymbolicLink(Path.of("/proc/self/fd/1")).toString().startsWith("pipe:");
        } catch (IOException e) {
            return true; // not on Linux
        }
    }

    private static int execute(Streams streams, AtomicReference<@Nullable Throwable> failure, String... all) {
        List<String> args = Commands.words(List.of(all));
        boolean verbose = args.contains("--verbose");
        CommandLine line = Commands.of(streams, args);
        line.setExecutionExceptionHandler((e, command, parsed) -> {
            if (e instanceof Command.ValidOptionsException) {
                return ExitCode.VALID;
            }
            failure.set(e);
            return tell(e, streams, verbose, args);
        });
        line.setParameterExceptionHandler((e, argv) -> {
            Optional<String> ofMongodb = PgbenchOptions.insteadOfMongodb(args);
            if (ofMongodb.isPresent()) {
                streams.error(ofMongodb.get());
                return ExitCode.USAGE;
            }
            String word = unmatched(e);
            String instead = word.startsWith("--") ? OptionNames.instead(word.substring(2), longNames(listed(e))) : "";
            String label = missingValue(e);
            if (!label.isEmpty()) {
                streams.error(label);
                return ExitCode.USAGE;
            }
            String message = Secrets.inMessage(String.valueOf(e.getMessage()), args);
            streams.error(instead.isEmpty() ? message.replaceAll("\\s+", " ") + "; " + hint(e) : word + ": " + instead);
            return ExitCode.USAGE;
        });
        line.setExecutionStrategy(parsed -> {
            List<OptionSpec> ahead = parsed.matchedOptions();
            if (parsed.hasSubcommand() && !ahead.isEmpty() && !parsed.isUsageHelpRequested()) {
                String command = parsed.subcommand().commandSpec().name();
                throw new CommandLine.ParameterException(
                        line,
                        ahead.get(0).longestName() + ": options follow the command, as in: stress " + command + " "
                                + ahead.get(0).longestName() + " ...");
            }
            return new CommandLine.RunLast().execute(parsed);
        });
        try {
            return line.execute(Commands.arguments(args));
        } catch (OutOfMemoryError e) { // picocli handles only exceptions
            return Failure.tell(e, streams, verbose, args);
        }
    }

    private static int tell(Exception e, Streams streams, boolean verbose, List<String> args) {
        boolean isEnding = streams.interruption().isRequested() && Failure.isEnding(e);
        return isEnding && !verbose ? ExitCode.INTERRUPTED : Failure.tell(e, streams, verbose, args);
    }

    /** What is wrong if an option stands without its value; otherwise an empty string. */
    private static String missingValue(CommandLine.ParameterException e) {
        return e instanceof CommandLine.MissingParameterException missing
                        && missing.getMissing().size() == 1
                        && missing.getMissing().get(0) instanceof OptionSpec option
                ? option.longestName() + ": needs a value, " + option.paramLabel() + "; see --help"
                : "";
    }

    /** The first argument that is not known, without its value; an empty string if there is none. */
    private static String unmatched(CommandLine.ParameterException e) {
        return e instanceof CommandLine.UnmatchedArgumentException unknown
                ? unknown.getUnmatched().get(0).replaceFirst("=.*", "")
                : "";
    }

    /** Suggests a similar option or command, or else the help. */
    private static String hint(CommandLine.ParameterException e) {
        String word = unmatched(e);
        if (word.isEmpty()) {
            return "see --help";
        }
        CommandSpec command = e.getCommandLine().getCommandSpec();
        if (!word.startsWith("--")) {
            return hint(Nearest.of(word, command.subcommands().keySet()));
        }
        Set<String> listed = listed(e);
        String letter = word.substring(1);
        return hint(
                listed.contains(letter)
                        ? Optional.of(letter)
                        : OptionNames.meant(word.substring(2), longNames(listed))
                                .map(name -> "--" + name));
    }

    /** The names of the command's options. */
    private static Set<String> listed(CommandLine.ParameterException e) {
        return e.getCommandLine().getCommandSpec().options().stream()
                .filter(option -> !option.hidden())
                .flatMap(option -> Stream.of(option.names()))
                .collect(Collectors.toSet());
    }

    /** Without dashes. */
    private static Set<String> longNames(Set<String> names) {
        return names.stream()
                .filter(name -> name.startsWith("--"))
                .map(name -> name.substring(2))
                .collect(Collectors.toSet());
    }

    private static String hint(Optional<String> meant) {
        return meant.map(word -> "did you mean " + word + "?").orElse("see --help");
    }
}
