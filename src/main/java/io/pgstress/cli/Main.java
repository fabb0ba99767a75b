package io.pgstress.cli;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import picocli.CommandLine;

/** The program's entry, and the only place that ends the process. */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        Streams streams = new Streams(
                new PrintStream(System.out, true, StandardCharsets.UTF_8),
                new PrintStream(System.err, true, StandardCharsets.UTF_8));
        System.exit(run(streams, args));
    }

    /** Runs a command line; returns the exit code. Used by tests too, which have streams of their own. */
    static int run(Streams streams, String... args) {
        boolean verbose = Arrays.asList(args).contains("--verbose");
        CommandLine line = Commands.commandLine(streams);
        line.setExecutionExceptionHandler((e, command, parsed) -> Failure.tell(e, streams.err(), verbose));
        line.setParameterExceptionHandler((e, argv) -> {
            String message = String.valueOf(e.getMessage());
            streams.err().println("stress: " + message.replaceAll("\\s+", " "));
            if (!CommandLine.UnmatchedArgumentException.printSuggestions(e, Streams.writer(streams.err()))) {
                streams.err().println("stress: --help tells what there is");
            }
            return ExitCode.USAGE;
        });
        int code = line.execute(args);
        if (streams.out().checkError()) { // a PrintStream keeps what went wrong to itself
            streams.err().println("stress: stdout: not all of it could be written");
            return code == ExitCode.DONE ? ExitCode.USAGE : code;
        }
        return code;
    }
}
