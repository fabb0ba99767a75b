package io.pgstress.runner;

import io.pgstress.plan.Endpoint;
import io.pgstress.target.driver.Connector;
import io.pgstress.target.driver.PasswordFile;
import io.pgstress.target.driver.ServerErrors;
import io.pgstress.target.driver.TargetException;
import io.pgstress.target.embedded.DataHome;
import io.pgstress.target.embedded.EmbeddedServer;
import io.pgstress.target.settings.Journal;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The servers that a command names, or the embedded server.
 *
 * @param endpoints at least one
 * @param embedded null if servers were named
 */
record SessionServers(List<Endpoint> endpoints, @Nullable EmbeddedServer embedded) implements AutoCloseable {
    /** Opens them; connects to the embedded server only. {@code notes} receives lines for the user. */
    static SessionServers open(List<Endpoint> named, Consumer<String> notes) {
        Path home = DataHome.of(System.getenv());
        Journal.leftBehind(home).forEach(journal -> journal.stillInForce().forEach(notes));
        if (!named.isEmpty()) {
            note(PasswordFile.choose(System.getenv()), notes);
            return new SessionServers(List.copyOf(named), null);
        }
        EmbeddedServer server = EmbeddedServer.open(home);
        note(server.repaired(), notes);
        Endpoint endpoint = new Endpoint(server.url(), 0);
        try (Connection connection = new Connector(endpoint, "").openControl();
                Statement statement = connection.createStatement()) {
            statement.execute("create extension if not exists pg_stat_statements");
        } catch (SQLException e) {
            server.close();
            throw new TargetException(
                    "the embedded PostgreSQL in " + home + " cannot be used: " + ServerErrors.sampleOf(e), e);
        }
        return new SessionServers(List.of(endpoint), server);
    }

    private static void note(String line, Consumer<String> notes) {
        if (!line.isEmpty()) {
            notes.accept(line);
        }
    }

    /** Stops the embedded server unless another command uses it. */
    @Override
    public void close() {
        boolean isInterrupted = Thread.interrupted(); // the server is stopped all the same
        if (embedded != null) {
            embedded.close();
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
