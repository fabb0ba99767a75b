package io.pgstress.target.driver;

import io.pgstress.plan.Endpoint;
import io.pgstress.target.loop.Daemons;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLState;

/**
 * A command that prints the password of one role at one server. All connections that open within {@value #REUSE_SECONDS} s share
 * one run of it, unless the server refuses the password. The command runs on a thread of its own: connections of an event loop
 * wait without holding up the loop. Thread-safe.
 */
final class PasswordCommand {
    /** How long a password is used for new connections; tokens of cloud providers are valid for 15 minutes or longer. */
    static final int REUSE_SECONDS = 60;

    /** The least time between two runs of the command, if it fails or its password is refused. */
    static final int AGAIN_SECONDS = 5;

    private static final String NAME = "--password-command ";

    private final String command;
    private final Map<String, String> environment;
    private final LongSupplier nanoClock;
    private @Nullable CompletableFuture<Outcome> latest;

    /** @param failure why there is no password; an empty string: there is one */
    private record Outcome(String password, String failure, long nanos) {}

    /** @param environment further variables of the command's environment */
    PasswordCommand(String command, Map<String, String> environment, LongSupplier nanoClock) {
        this.command = command;
        this.environment = environment;
        this.nanoClock = nanoClock;
    }

    /** The variables that tell the command whose password is needed, with libpq's names. */
    static Map<String, String> environment(Endpoint endpoint, String user, String database) {
        Path socket = Path.of(endpoint.socketFile()).getParent();
        return Map.of(
                "PGHOST",
                socket == null ? endpoint.host() : socket.toString(),
                "PGPORT",
                Integer.toString(endpoint.port()),
                "PGUSER",
                user,
                "PGDATABASE",
                database);
    }

    /**
     * The password, from a run of the command that ended less than {@value #REUSE_SECONDS} s ago, or else from a new one.
     *
     * @throws SQLException if the command fails, prints nothing, or does not end within {@value PasswordProcess#MAX_SECONDS} s
     */
    String password() throws SQLException {
        Outcome outcome;
        try {
            outcome = current().get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SQLException("interrupted while connecting", PSQLState.QUERY_CANCELED.getState(), e);
        } catch (ExecutionException e) {
            throw new SQLException(NAME + "failed: " + e.getCause(), e);
        }
        if (!outcome.failure.isEmpty()) {
            throw new SQLException(NAME + outcome.failure, PSQLState.INVALID_AUTHORIZATION_SPECIFICATION.getState());
        }
        return outcome.password;
    }

    /**
     * Notes that the server refused a password. Returns whether the command should be asked for another one: not if it has run
     * less than {@value #AGAIN_SECONDS} s ago.
     */
    synchronized boolean isOutdated(String password) {
        Outcome outcome = latest == null ? null : latest.getNow(null);
        if (outcome == null || !outcome.password.equals(password)) {
            return true; // another connection has asked again
        }
        if (age(outcome) < TimeUnit.SECONDS.toNanos(AGAIN_SECONDS)) {
            return false;
        }
        latest = null;
        return true;
    }

    private long age(Outcome outcome) {
        return nanoClock.getAsLong() - outcome.nanos;
    }

    private synchronized CompletableFuture<Outcome> current() {
        CompletableFuture<Outcome> known = latest;
        if (known != null && isUsable(known)) {
            return known;
        }
        CompletableFuture<Outcome> next = new CompletableFuture<>();
        latest = next;
        Daemons.start("password-command", () -> next.complete(outcome()));
        return next;
    }

    private boolean isUsable(CompletableFuture<Outcome> known) {
        Outcome outcome = known.getNow(null);
        return outcome == null
                || age(outcome) < TimeUnit.SECONDS.toNanos(outcome.failure.isEmpty() ? REUSE_SECONDS : AGAIN_SECONDS);
    }

    private Outcome outcome() {
        try {
            String password = PasswordProcess.firstLine(command, environment);
            return new Outcome(password, "", nanoClock.getAsLong());
        } catch (IOException | IllegalArgumentException e) { // the latter: a variable that no environment can have
            return new Outcome("", String.valueOf(e.getMessage()), nanoClock.getAsLong());
        } catch (RuntimeException | Error e) { // connections would wait for it forever otherwise
            return new Outcome("", "failed: " + e, nanoClock.getAsLong());
        }
    }

    /** One run of a command that prints a password. */
    private static final class PasswordProcess {
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
                    throw new IOException(
                            "exited with status " + process.exitValue() + (why.isEmpty() ? "" : ": " + why));
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
            Daemons.start("password-command-output", () -> {
                try (BufferedReader reader =
                        new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
                    String first = reader.readLine();
                    line.complete(first == null ? "" : first);
                    reader.transferTo(Writer.nullWriter());
                } catch (IOException e) {
                    line.completeExceptionally(e);
                }
            });
            return line;
        }
    }
}
