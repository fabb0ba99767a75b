package io.pgstress.cli.output;

import io.pgstress.interrupt.Interruption;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;

/**
 * The streams of a command, and the signals that it receives.
 *
 * @param out results
 * @param err progress, warnings and errors
 * @param interruption the signals of the process
 */
public record Streams(PrintStream out, PrintStream err, Interruption interruption) {
    /** A command that no signal interrupts. */
    public Streams(PrintStream out, PrintStream err) {
        this(out, err, Interruption.none());
    }

    /** Prints a line for the user on stderr. */
    public void note(String line) {
        err.println("stress: " + line);
    }

    /** A writer to a stream, in UTF-8 on every platform. */
    public static PrintWriter writer(PrintStream stream) {
        return new PrintWriter(new OutputStreamWriter(stream, StandardCharsets.UTF_8), true);
    }
}
