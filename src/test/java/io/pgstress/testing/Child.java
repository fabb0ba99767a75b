package io.pgstress.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/** The command in its own JVM, which can receive real signals. The JVM is set up to start fast. */
public final class Child implements AutoCloseable {
    private static final long MOST_SECONDS = 120;
    /** Many conditions ask the server on a new connection. */
    private static final long POLL_MILLIS = 20;

    /** A JVM that starts fast. */
    static final List<String> JVM = List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            // the compiler wrote these classes; not verifying them saves a seventh of the CPU time of a start
            "-XX:+UnlockDiagnosticVMOptions",
            "-XX:-BytecodeVerificationRemote");

    private final Process process;
    private final Path out;
    private final Path err;

    /**
     * Starts it with output to {@code directory}. Resets SIGINT, which children of a shell's background job would inherit as
     * ignored.
     */
    public Child(Path directory, String... line) throws IOException {
        this(directory, Map.of(), line);
    }

    /** @param environment further environment variables of the child */
    public Child(Path directory, Map<String, String> environment, String... line) throws IOException {
        out = Files.createTempFile(directory, "child", ".out");
        err = Files.createTempFile(directory, "child", ".err");
        List<String> command = new ArrayList<>(List.of("env", "--default-signal=INT,TERM"));
        command.addAll(command("256m", Runs.words(line)));
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
        builder.environment().put("PGSTRESS_TERMINAL", "false");
        builder.environment().putAll(environment);
        process = builder.start();
    }

    /**
     * A command of the program in a JVM of its own, which compiles fast: most children end soon.
     *
     * @param heap its maximum, as after {@code -Xmx}
     */
    public static List<String> command(String heap, String... words) {
        List<String> command = new ArrayList<>(JVM);
        command.add("-Xmx" + heap);
        command.addAll(ChildClasses.OPTIONS);
        command.add("io.pgstress.cli.Main");
        command.addAll(List.of(words));
        return command;
    }

    /** Sends a signal, e.g. {@code INT}, unless the child has already ended. */
    public void signal(String name) throws IOException, InterruptedException {
        if (process.isAlive()) {
            new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                    .start()
                    .waitFor();
        }
    }

    /** Waits until something holds, or the child has ended. */
    public void await(BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(MOST_SECONDS);
        while (!condition.getAsBoolean() && !process.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
            if (System.nanoTime() > end) {
                throw new AssertionError("not within " + MOST_SECONDS + " s; the child said: " + err());
            }
        }
    }

    /** Waits until stderr contains a text. */
    public void awaitErr(String text) throws InterruptedException {
        await(() -> err().contains(text));
    }

    /** Kills it, so that it can do nothing more, and waits for its end. */
    public void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** Waits until a thread with this name, of at most 15 characters, runs in it. */
    public void awaitThread(String name) throws InterruptedException {
        await(() -> {
            try (Stream<Path> tasks = Files.list(Path.of("/proc/" + process.pid() + "/task"))) {
                return tasks.map(task -> read(task.resolve("comm")))
                        .anyMatch(comm -> comm.strip().equals(name));
            } catch (IOException | UncheckedIOException e) {
                return false; // it, or a thread of it, has just ended
            }
        });
    }

    /** Waits at most this long for the end; returns whether it has ended. */
    public boolean waitFor(long millis) throws InterruptedException {
        return process.waitFor(millis, TimeUnit.MILLISECONDS);
    }

    /** Its exit code, once it has ended. */
    public int exit() throws InterruptedException {
        await(() -> false);
        return process.exitValue();
    }

    public String out() {
        return read(out);
    }

    public String err() {
        return read(err);
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
