package io.pgstress.target.embedded;

import io.pgstress.target.driver.TargetException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Starts and stops the server with {@code pg_ctl}, which runs it in its own session, so that Ctrl-C ends the run but not the
 * server. PostgreSQL refuses to run as root; for root it therefore runs in its own user namespace.
 *
 * @param binaries the directory that contains {@code bin/pg_ctl}
 */
record PgCtl(Path binaries, Path data, Path log) {
    private static final long SECONDS = 60;

    static boolean isRoot() {
        return "root".equals(System.getProperty("user.name")) && Files.exists(Path.of("/proc/self"));
    }

    /** Throws if the server cannot be started here at all: as root without user namespaces. */
    static void checkPossible() {
        if (isRoot() && run(List.of("unshare", "-U", "true")).code != 0) {
            throw new TargetException(
                    "the embedded PostgreSQL cannot run as root here, as 'unshare -U' is not permitted:"
                            + " run as another user, or name a server with --url");
        }
    }

    /** Creates a data directory, in which every connection from this machine is trusted. */
    static void initialize(Path binaries, Path data) throws IOException {
        Done done = run(command(binaries, "initdb", data, "-A", "trust", "-U", "postgres", "-E", "UTF8", "--locale=C"));
        if (done.code != 0) {
            throw new IOException(done.output
                    .lines()
                    .filter(line -> line.contains("error:"))
                    .findFirst()
                    .orElse("initdb failed: " + done.output));
        }
    }

    void start(int port) {
        Done done = run(command("-l", log.toString(), "-o", "-p " + port, "-w", "-t", "" + SECONDS, "start"));
        if (done.code != 0) {
            throw new TargetException(
                    "the embedded PostgreSQL did not start; the end of " + log + " says: " + lastLogLine());
        }
    }

    /** Stops it, unless it has stopped already. */
    void stop() {
        Done done = stopping();
        if (done.code != 0 && Files.exists(data.resolve("postmaster.pid"))) {
            done = stopping(); // a second Ctrl-C in a terminal ends pg_ctl too, not the server
        }
        if (done.code != 0 && Files.exists(data.resolve("postmaster.pid"))) {
            throw new TargetException("the embedded PostgreSQL in " + data + " did not stop: " + done.output);
        }
    }

    private Done stopping() {
        return run(command("-m", "fast", "-w", "-t", "" + SECONDS, "stop"));
    }

    private List<String> command(String... arguments) {
        return command(binaries, "pg_ctl", data, arguments);
    }

    private static List<String> command(Path binaries, String program, Path data, String... arguments) {
        List<String> command = new ArrayList<>();
        if (isRoot()) {
            command.addAll(List.of("unshare", "-U"));
        }
        command.add(binaries.resolve("bin").resolve(program).toString());
        command.addAll(List.of("-D", data.toString()));
        command.addAll(List.of(arguments));
        return command;
    }

    private String lastLogLine() {
        try {
            List<String> lines = Files.readAllLines(log, StandardCharsets.UTF_8);
            return lines.isEmpty() ? "nothing" : lines.get(lines.size() - 1);
        } catch (IOException e) {
            return "nothing that can be read (" + e.getMessage() + ")";
        }
    }

    private record Done(int code, String output) {}

    /** The output goes through a file: the server inherits it and would keep a pipe open. */
    private static Done run(List<String> command) {
        Path output = null;
        try {
            output = Files.createTempFile("pgstress", ".out");
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            process.getOutputStream().close();
            if (!process.waitFor(SECONDS + 10, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                return new Done(-1, "no answer within " + SECONDS + " s");
            }
            return new Done(process.exitValue(), Files.readString(output).trim());
        } catch (IOException e) {
            return new Done(-1, String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Done(-1, "interrupted");
        } finally {
            delete(output);
        }
    }

    private static void delete(@org.jspecify.annotations.Nullable Path file) {
        if (file != null) {
            try {
                Files.deleteIfExists(file);
            } catch (IOException e) {
                file.toFile().deleteOnExit();
            }
        }
    }
}
