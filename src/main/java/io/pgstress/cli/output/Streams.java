package io.pgstress.cli.output;

import io.pgstress.interrupt.Interruption;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;

/**
 * What connects a command to its surroundings.
 *
 * @param out results
 * @param err everything else
 * @param interruption the signals that the process gets
 */
public record Streams(PrintStream out, PrintStream err, Interruption interruption) {
    /** Without signals. */
    public Streams(PrintStream out, PrintStream err) {
        this(out, err, Interruption.none());
    }

    /** Prints a line for the user on stderr. */
    public void note(String line) {
        err.println("stress: " + line);
    }

    /** A writer onto a stream, which encodes as UTF-8 whatever the platform does. */
    public static PrintWriter writer(PrintStream stream) {
        return new PrintWriter(new OutputStreamWriter(stream, StandardCharsets.UTF_8), true);
    }
}
