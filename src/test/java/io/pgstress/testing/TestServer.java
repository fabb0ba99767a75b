package io.pgstress.testing;

import io.pgstress.plan.Endpoint;
import io.pgstress.target.driver.Connector;
import io.pgstress.target.driver.Login;
import io.pgstress.target.driver.SessionPurpose;
import io.pgstress.target.embedded.EmbeddedServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** One embedded PostgreSQL for all tests of a JVM, kept under {@code target} between builds. Each test has its own database. */
public final class TestServer {
    /** Its directory: each of the JVMs that share the tests has its own. */
    public static final Path DIRECTORY = Path.of("target", "test-server" + System.getProperty("pgstress.test.fork", ""))
            .toAbsolutePath();

    private static final EmbeddedServer SERVER = start();

    /** Of all databases: every run reads the view several times, which takes longer the more there are. */
    private static final String FORGET_STATEMENTS = "select pg_stat_statements_reset()";

    private static final Set<String> MADE = ConcurrentHashMap.newKeySet();

    private TestServer() {}

    private static EmbeddedServer start() {
        ServerHomes.make(DIRECTORY);
        EmbeddedServer server = EmbeddedServer.open(DIRECTORY);
        Runtime.getRuntime().addShutdownHook(new Thread(server::close));
        // each database that is dropped waits for a checkpoint; these data need not survive a crash of the machine
        execute(server.url(), "alter system set fsync = off");
        // it would start a worker twice a second, because there are so many databases
        execute(server.url(), "alter system set autovacuum_naptime = '1h'", "select pg_reload_conf()");
        return server;
    }

    /** The URL of a new, empty database of this name. */
    public static String freshDatabase(String name) {
        execute(
                SERVER.url(),
                "drop database if exists \"" + name + "\" with (force)",
                "create database \"" + name + "\"");
        String url = SERVER.url().replace("/postgres?", "/" + name + "?");
        execute(url, "create extension pg_stat_statements", FORGET_STATEMENTS);
        return url;
    }

    /**
     * The URL of a database of this name without tables, statistics of statements or other sessions. It is made when it is first
     * asked for, and then emptied, which takes half the time.
     */
    public static String emptyDatabase(String name) {
        if (MADE.add(name)) {
            return freshDatabase(name);
        }
        String url = SERVER.url().replace("/postgres?", "/" + name + "?");
        execute(
                url,
                "select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = current_database()"
                        + " and backend_type = 'client backend' and pid <> pg_backend_pid()",
                "drop schema public cascade",
                "create schema public",
                "create extension pg_stat_statements",
                FORGET_STATEMENTS);
        return url;
    }

    /** The URL of the default database. */
    public static String maintenanceUrl() {
        return SERVER.url();
    }

    /** The port that the server listens on. */
    public static int port() {
        return SERVER.port();
    }

    /** A connector without load settings. */
    public static Connector connector(String url) {
        return new Connector(new Endpoint(url, 0), Login.of(""));
    }

    /** Runs statements separately. */
    public static void execute(String url, String... statements) {
        try (Connection connection = connector(url).open(SessionPurpose.CONTROL);
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The first column of the first row, as a number. */
    public static long number(String url, String sql) {
        return Long.parseLong(text(url, sql));
    }

    /** The first column of the first row, as text. */
    public static String text(String url, String sql) {
        try (Connection connection = connector(url).open(SessionPurpose.CONTROL);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getString(1);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }

    /**
     * Makes the server read its configuration, and waits until new sessions have it.
     *
     * @param condition SQL that holds in such a session
     */
    public static void reload(String condition) {
        String before = text(SERVER.url(), "select clock_timestamp()");
        execute(SERVER.url(), "select pg_reload_conf()");
        String isDone = "select pg_conf_load_time() > '" + before + "' and " + condition;
        long end = System.nanoTime() + 10_000_000_000L;
        while (!"t".equals(text(SERVER.url(), isDone))) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException("the server did not read its configuration");
            }
        }
    }

    /** Rules before those of {@code pg_hba.conf}, until this is closed. Whoever opens or closes it reloads the configuration. */
    public static final class HbaRules implements AutoCloseable {
        private final Path file = Path.of(text(SERVER.url(), "show hba_file"));
        private final String others;

        public HbaRules(String... rules) throws IOException {
            others = Files.readString(file);
            Files.writeString(file, String.join("\n", rules) + "\n" + others);
        }

        @Override
        public void close() throws IOException {
            Files.writeString(file, others);
        }
    }

    /** Creates a table {@code (_id, data)} with documents {@code {"_id": i, "n": "x<i>"}} with the ids 1 to rows. */
    public static void table(String url, String name, int rows) {
        execute(
                url,
                "create table " + name + " (_id int primary key, data jsonb not null default '{}')",
                "insert into " + name + " select i, jsonb_build_object('_id', i, 'n', 'x' || i)"
                        + " from generate_series(1, " + rows + ") i",
                "vacuum analyze " + name);
    }
}
