package io.pgstress.target.driver;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** One run of a command that prints a password. */
final class PasswordProcess {
    /** The longest run. */
    static final int MAX_SECONDS = 30;

    private PasswordProcess() {}

    /**
     * Runs the command with the shell, without input.
     *
     * @param environment further variables
     * @return the first line of its output, which is not empty
     * @throws IOException if it fails, does not end in time, or prints nothing; the message contains nothing of its output
     */
    static String firstLine(String command, Map<String, String> environment) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(List.of("sh", "-c", command));
        builder.environment().putAll(environment);
        Process process = builder.redirectInput(new File("/dev/null")).start();
        CompletableFuture<String> out = line(process.getInputStream());
        CompletableFuture<String> err = line(process.getErrorStream());
        try {
            if (!process.waitFor(MAX_SECONDS, TimeUnit.SECONDS)) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
                throw new IOException("did not end within " + MAX_SECONDS + " s");
            }
            if (process.exitValue() != 0) {
                String why = err.get(1, TimeUnit.SECONDS).trim();
                throw new IOException("exited with status " + process.exitValue() + (why.isEmpty() ? "" : ": " + why));
            }
            String password = out.get(1, TimeUnit.SECONDS);
            if (password.isEmpty()) {
                throw new IOException("printed no password");
            }
            return password;
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new IOException("failed: its output could not be read", e);
        }
    }

    /** The first line; the rest is read too, so that the process never waits for a reader. */
    private static CompletableFuture<String> line(InputStream stream) {
        CompletableFuture<String> line = new CompletableFuture<>();
        start("password-command-output", () -> {
            try (BufferedReader reader = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
                String first = reader.readLine();
                line.complete(first == null ? "" : first);
                reader.transferTo(Writer.nullWriter());
            } catch (IOException e) {
                line.completeExceptionally(e);
            }
        });
        return line;
    }

    static void start(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }
}
