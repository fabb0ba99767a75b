package io.pgstress.cli;

import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;

/**
 * Where a command writes.
 *
 * @param out results
 * @param err everything else
 */
record Streams(PrintStream out, PrintStream err) {
    /** A writer onto a stream, which encodes as UTF-8 whatever the platform does. */
    static PrintWriter writer(PrintStream stream) {
        return new PrintWriter(new OutputStreamWriter(stream, StandardCharsets.UTF_8), true);
    }
}
