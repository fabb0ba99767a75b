package io.pgstress.cli;

import io.pgstress.testing.Runs;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** The output and the exit code of a command. */
public record Ended(int code, String out, String err) {
    /** Runs a command line, whose parts may be given one by one, in this process, which gets no signals. */
    public static Ended stress(String... line) {
        return ofWords(Runs.words(line));
    }

    /** Runs a command with these arguments, as they are. */
    public static Ended ofWords(String... arguments) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int code = Main.run(
                new Streams(
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8)),
                arguments);
        return new Ended(code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }
}
