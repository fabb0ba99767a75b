package io.pgstress.target.embedded;

import io.pgstress.target.driver.TargetException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Starts and stops the server with {@code pg_ctl}, which runs it in its own session, so that Ctrl-C ends the run but not the
 * server. PostgreSQL refuses to run as root; for root it therefore runs in its own user namespace.
 *
 * @param name the server's, in messages
 * @param bin the directory that contains {@code pg_ctl}
 */
record PgCtl(String name, Path bin, Path data, Path log) {
    private static final long SECONDS = 60;

    /** {@code postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)}. */
    private static final Pattern VERSION = Pattern.compile("\\) (\\d[\\w.]*)");

    static boolean isRoot() {
        return "root".equals(System.getProperty("user.name")) && Files.exists(Path.of("/proc/self"));
    }

    /** Throws if the server cannot be started here at all: as root without user namespaces. */
    static void checkPossible(String name) {
        if (isRoot() && run(List.of("unshare", "-U", "true")).code != 0) {
            throw new TargetException(name + " cannot run as root here, as 'unshare -U' is not permitted:"
                    + " run as another user, or name a server with --url");
        }
    }

    /** The release of the programs in a folder, such as 17.5; empty if they do not say it. */
    static String version(Path bin) {
        Matcher version = VERSION.matcher(run(List.of(bin.resolve("postgres").toString(), "--version")).output);
        return version.find() ? version.group(1) : "";
    }

    /**
     * Creates a data directory, in which every connection from this machine is trusted. Versions have different defaults for checksums.
     * The files reach the disk later, as those of any other program.
     */
    static void initialize(Path bin, Path data) throws IOException {
        Done done = run(command(
                bin,
                "initdb",
                data,
                "-A",
                "trust",
                "-U",
                "postgres",
                "-E",
                "UTF8",
                "--locale=C",
                "--data-checksums",
                "-N"));
        if (done.code != 0) {
            throw new IOException(done.output
                    .lines()
                    .filter(line -> line.contains("error:") || line.contains("FATAL:") || line.contains("PANIC:"))
                    .findFirst()
                    .orElse("initdb failed: " + done.output));
        }
    }

    void start(int port) {
        Done done = run(command("-l", log.toString(), "-o", "-p " + port, "-w", "-t", "" + SECONDS, "start"));
        if (done.code != 0) {
            throw new TargetException(name + " did not start; the end of " + log + " says: " + lastLogLines());
        }
    }

    /**
     * Stops it, unless it has stopped already.
     *
     * @param mode {@code fast}, or {@code immediate} if its data are not needed any more
     */
    void stop(String mode) {
        Done done = stopping(mode);
        if (done.code != 0 && Files.exists(data.resolve("postmaster.pid"))) {
            done = stopping(mode); // a second Ctrl-C in a terminal ends pg_ctl too, not the server
        }
        if (done.code != 0 && Files.exists(data.resolve("postmaster.pid"))) {
            throw new TargetException(name + " in " + data + " did not stop: " + done.output);
        }
    }

    private Done stopping(String mode) {
        return run(command("-m", mode, "-w", "-t", "" + SECONDS, "stop"));
    }

    private List<String> command(String... arguments) {
        return command(bin, "pg_ctl", data, arguments);
    }

    private static List<String> command(Path bin, String program, Path data, String... arguments) {
        List<String> command = new ArrayList<>();
        if (isRoot()) {
            command.addAll(List.of("unshare", "-U"));
        }
        command.add(bin.resolve(program).toString());
        command.addAll(List.of("-D", data.toString()));
        command.addAll(List.of(arguments));
        return command;
    }

    /** Why the server has crashed, by its log; empty if it has not. */
    String crash() {
        try (Stream<String> lines = Files.lines(log, StandardCharsets.UTF_8)) {
            return lines.filter(line -> line.contains("PANIC:"))
                    .findFirst()
                    .map(line -> line.replaceFirst(".*PANIC: *", ""))
                    .orElse("");
        } catch (IOException | UncheckedIOException e) {
            return ""; // the log cannot be read, so the cause is unknown
        }
    }

    /** Two lines: before the last, the server names the setting that it does not accept. */
    private String lastLogLines() {
        try {
            List<String> lines = Files.readAllLines(log, StandardCharsets.UTF_8);
            return lines.isEmpty()
                    ? "nothing"
                    : String.join("; ", lines.subList(Math.max(0, lines.size() - 2), lines.size()));
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
