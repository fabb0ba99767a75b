package io.pgstress.testing.truth;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs a command to its end. */
final class Command {
    /** The cores for commands, as taskset takes them; all if it is not set. */
    static final String CORES = "truth.client.cores";

    private static final int MAX_MINUTES = 10;

    private Command() {}

    /**
     * Runs a command in the working directory.
     *
     * @param output receives its stdout and stderr
     * @return its exit code
     */
    static int run(Path output, List<String> command) throws IOException, InterruptedException {
        String cores = System.getProperty(CORES);
        List<String> pinned = new ArrayList<>(cores == null ? List.of() : List.of("taskset", "-c", cores));
        pinned.addAll(command);
        Process process = new ProcessBuilder(pinned)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        if (!process.waitFor(MAX_MINUTES, TimeUnit.MINUTES)) {
            process.destroyForcibly();
            throw new IOException(command.get(0) + " has not ended after " + MAX_MINUTES + " minutes");
        }
        return process.exitValue();
    }
}
