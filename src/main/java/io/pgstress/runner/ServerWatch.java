package io.pgstress.runner;

import io.pgstress.result.Explained;
import io.pgstress.result.ServerProfile;
import io.pgstress.result.ServerProfile.ServerStatement;
import io.pgstress.target.Node;
import io.pgstress.target.driver.Connector;
import io.pgstress.target.driver.ServerErrors;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The servers' own word: counters before and after the load, and samples of what its sessions wait for. Each node has a
 * control connection for it, opened anew where it broke. What a server does not let be read becomes a note. All questions
 * are asked on one thread of its own, so that a server that does not answer does not hold up the run. Belongs to the
 * run's thread.
 */
final class ServerWatch implements AutoCloseable {
    private static final long MOST_SECONDS = 10;

    private final List<Node> nodes;
    private final @Nullable Connection[] connections;
    private final List<ServerCounters> before = new ArrayList<>();
    private final Map<String, Long> waits = new TreeMap<>();
    private final Set<String> notes = new LinkedHashSet<>();
    private final Bounded asking = new Bounded(MOST_SECONDS);
    private final AtomicBoolean sampling = new AtomicBoolean();
    /** By node: whether it does not tell what its sessions do, and is not asked again. */
    private final boolean[] silent;

    /** Which node is being asked, or was last. */
    private volatile int asked;

    private long samples;

    ServerWatch(List<Node> nodes) {
        this.nodes = nodes;
        this.connections = new Connection[nodes.size()];
        this.silent = new boolean[nodes.size()];
    }

    /** Reads the counters before the first operation. */
    void start() throws InterruptedException {
        asking.ask(
                () -> {
                    for (int i = 0; i < nodes.size(); i++) {
                        before.add(counters(i));
                    }
                    return true;
                },
                false);
    }

    /** Looks once at what the load's sessions do, unless the last look is not over. */
    void sample() {
        if (sampling.compareAndSet(false, true)) {
            asking.tell(() -> {
                try {
                    look();
                } finally {
                    sampling.set(false);
                }
            });
        }
    }

    private void look() {
        for (int i = 0; i < nodes.size(); i++) {
            Connection connection = silent[i] ? null : connection(i);
            if (connection == null) {
                continue;
            }
            try (Statement statement = connection.createStatement();
                    ResultSet rows = statement.executeQuery(ServerCounters.ACTIVITY)) {
                while (rows.next()) {
                    waits.merge(rows.getString(1), rows.getLong(2), Long::sum);
                    samples += rows.getLong(2);
                }
            } catch (SQLException e) {
                silent[i] = ServerErrors.sessionIsAlive(e);
                lost(i, e);
            }
        }
    }

    /** Reads the counters again and tells what came between. */
    ServerProfile finish() throws InterruptedException {
        return asking.ask(() -> Optional.of(profile()), Optional.<ServerProfile>empty())
                .orElseGet(this::silence);
    }

    private ServerProfile silence() {
        String others = nodes.size() > 1 ? "; the counters of the others are left out with its own" : "";
        String note = nodes.get(asked).url() + " did not answer after the run" + others;
        return new ServerProfile(Map.of(), 0, Map.of(), List.of(), Map.of(), List.of(), List.of(note), Explained.NONE);
    }

    private ServerProfile profile() {
        Map<String, Double> database = new LinkedHashMap<>();
        Map<String, Double> wal = new LinkedHashMap<>();
        List<ServerStatement> statements = new ArrayList<>();
        for (int i = 0; i < before.size(); i++) {
            ServerCounters after = counters(i);
            ServerCounters start = before.get(i);
            String url = nodes.get(i).url();
            Deltas.add(database, start.database(), after.database(), "pg_stat_database of " + url, notes);
            Deltas.add(wal, start.wal(), after.wal(), "WAL counters of " + url, notes);
            statements.addAll(after.statementsSince(start, nodes.get(i).url()));
        }
        return new ServerProfile(
                waits, samples, database, statements, wal, List.of(), List.copyOf(notes), Explained.NONE);
    }

    /** The load average of the first server's host; null where it may not be read. */
    @Nullable
    Double loadAverage() throws InterruptedException {
        return asking.ask(() -> Optional.ofNullable(readLoadAverage()), Optional.<Double>empty())
                .orElse(null);
    }

    /** Whether the last question was answered in time. */
    boolean answers() {
        return !asking.isStuck();
    }

    /** Asks something else of the servers, within the same time limit. */
    <T> T ask(Callable<T> question, T otherwise) throws InterruptedException {
        return asking.ask(question, otherwise);
    }

    private @Nullable Double readLoadAverage() {
        Connection connection = connection(0);
        if (connection == null) {
            return null;
        }
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select pg_read_file('/proc/loadavg', 0, 100)")) {
            return row.next() ? firstNumber(row.getString(1)) : null;
        } catch (SQLException | NumberFormatException e) {
            notes.add("load average of " + nodes.get(0).url() + " not readable: " + oneLine(e));
            return null;
        }
    }

    private static Double firstNumber(String text) {
        int space = text.indexOf(' ');
        return Double.valueOf(space < 0 ? text.trim() : text.substring(0, space));
    }

    private ServerCounters counters(int node) {
        Connection connection = connection(node);
        return connection == null
                ? ServerCounters.NONE
                : ServerCounters.read(connection, nodes.get(node).url(), notes);
    }

    private @Nullable Connection connection(int node) {
        asked = node;
        try {
            Connection open = connections[node];
            if (open == null || open.isClosed()) {
                open = nodes.get(node).connector().openControl();
                connections[node] = open;
            }
            return open;
        } catch (SQLException e) {
            lost(node, e);
            return null;
        }
    }

    private void lost(int node, SQLException e) {
        notes.add(nodes.get(node).url() + " did not answer: " + oneLine(e));
        Connection open = connections[node];
        connections[node] = null;
        if (open != null) {
            Connector.abort(open);
        }
    }

    private static String oneLine(Exception e) {
        return String.valueOf(e.getMessage()).replaceAll("\\s+", " ");
    }

    @Override
    public void close() {
        asking.close();
        for (Connection connection : connections) {
            if (connection != null) {
                Connector.abort(connection);
            }
        }
    }
}
