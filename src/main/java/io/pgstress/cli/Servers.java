package io.pgstress.cli;

import io.pgstress.interrupt.Interruption;
import io.pgstress.interrupt.Part;
import io.pgstress.plan.Endpoint;
import io.pgstress.plan.RunSpec;
import io.pgstress.plan.TableName;
import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.target.driver.Connector;
import io.pgstress.target.driver.PasswordFile;
import io.pgstress.target.embedded.DataHome;
import io.pgstress.target.embedded.EmbeddedServer;
import io.pgstress.target.settings.Journal;
import java.io.PrintStream;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The servers of a command: those that were named, or the embedded one, which is started and stopped with it.
 *
 * @param endpoints at least one
 */
record Servers(List<Endpoint> endpoints, @Nullable EmbeddedServer embedded) implements AutoCloseable {

    /**
     * The named ones, or the embedded one where none is named, opened as a part of the command that can be interrupted.
     *
     * @param streams get what the user has to know of this machine: permissions, settings that an earlier run left behind
     * @param kept what the command leaves behind if it is interrupted
     */
    static Servers open(List<Endpoint> named, Streams streams, String kept) throws SQLException {
        Interruption interruption = streams.interruption();
        interruption.enter(Part.uninterruptible(
                named.isEmpty() ? "the embedded PostgreSQL to start" : "the servers to answer", kept));
        interruption.check();
        Servers servers = open(named, streams.err());
        interruption.atForcedEnd(servers::close);
        return servers;
    }

    /** The named ones, or the embedded one where none is named; {@code err} gets what the user has to know of this machine. */
    static Servers open(List<Endpoint> named, PrintStream err) throws SQLException {
        Path home = DataHome.of(System.getenv());
        for (Journal journal : Journal.leftBehind(home)) {
            journal.stillInForce().forEach(line -> tell(line, err));
        }
        if (!named.isEmpty()) {
            tell(PasswordFile.choose(System.getenv()), err);
            return new Servers(named, null);
        }
        EmbeddedServer server = EmbeddedServer.open(home);
        tell(server.repaired(), err);
        Endpoint endpoint = new Endpoint(server.url(), 0);
        try (Connection connection = connector(endpoint, "").openControl();
                Statement statement = connection.createStatement()) {
            statement.execute("create extension if not exists pg_stat_statements");
        } catch (SQLException | RuntimeException e) {
            server.close();
            throw e;
        }
        return new Servers(List.of(endpoint), server);
    }

    private static void tell(String line, PrintStream err) {
        if (!line.isEmpty()) {
            err.println("stress: " + line);
        }
    }

    /** A connector for commands that are no load. */
    static Connector connector(Endpoint endpoint, String user) {
        endpoint.objectionTo(user).ifPresent(objection -> {
            throw new InvalidPlanException("--user: " + objection);
        });
        return new Connector(endpoint, user);
    }

    boolean isEmbedded() {
        return embedded != null;
    }

    /** The same run on these servers, and on this table where none was named. */
    RunSpec complete(RunSpec spec, TableName tableByDefault) {
        RunSpec here = spec.withEndpoints(endpoints);
        return here.hasTable() ? here : here.withTable(tableByDefault);
    }

    @Override
    public void close() {
        boolean isInterrupted = Thread.interrupted(); // the server has to be stopped all the same
        if (embedded != null) {
            embedded.close();
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
