package io.pgstress.runner;

import io.pgstress.result.ServerProfile.ServerStatement;
import io.pgstress.target.Node;
import io.pgstress.target.driver.DriverSession;
import io.pgstress.target.driver.ServerErrors;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One server's own word: its counters before and after the load, and samples of what its sessions wait for. It has a control
 * connection for it, opened anew where it broke, and is asked on a thread of its own. What it does not let be read becomes a
 * note. Belongs to the run's thread.
 */
final class NodeCounters implements AutoCloseable {
    private static final long MAX_WAIT_MILLIS = 1_000;

    private final Node node;
    private final Bounded asking;
    private final AtomicBoolean sampling = new AtomicBoolean();
    private final CopyOnWriteArraySet<String> notes = new CopyOnWriteArraySet<>();

    /** Guarded by itself: the thread that asks may still write when the run gave it up. */
    private final Map<String, Long> waits = new TreeMap<>();

    private volatile @Nullable Connection connection;

    /** Whether it does not tell what its sessions do, and is not asked again; of the asking thread. */
    private boolean tellsNoWaits;

    private ServerCounters before = ServerCounters.NONE;
    private Bounded.@Nullable Question<Optional<ServerCounters>> open;
    private Bounded.@Nullable Question<Boolean> probe;

    /** @param mostSeconds that an answer is waited for */
    NodeCounters(Node node, long mostSeconds) {
        this.node = node;
        this.asking = new Bounded(mostSeconds);
    }

    Node node() {
        return node;
    }

    /** Asks for the counters, which {@link #started} or {@link #addTo} waits for. */
    void read() {
        open = asking.begin(() -> {
            Connection control = connection();
            return control == null ? Optional.empty() : Optional.of(ServerCounters.read(control, node.url(), notes));
        });
    }

    /** Asks whether it answers at all: where it does not, {@link #readAfter} does not wait for it. */
    void probe() {
        probe = asking.probe(() -> {
            Connection control = connection();
            return control != null && control.isValid(0);
        });
    }

    void awaitProbe() throws InterruptedException {
        Bounded.Question<Boolean> asked = probe;
        if (asked != null) {
            asked.orElse(false);
        }
    }

    /**
     * Asks for the counters once the load's sessions have ended: a server counts what a session did at the latest then, and
     * often not before. Other hosts' sessions may go on; they are waited for {@value #MAX_WAIT_MILLIS} ms at the most.
     */
    void readAfter() {
        open = asking.begin(() -> {
            Connection control = connection();
            if (control == null) {
                return Optional.empty();
            }
            long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(MAX_WAIT_MILLIS);
            while (sessions(control) > 0 && System.nanoTime() < end) {
                TimeUnit.MILLISECONDS.sleep(10);
            }
            return Optional.of(ServerCounters.read(control, node.url(), notes));
        });
    }

    /** How many sessions of the load there are; 0 where the server does not tell. */
    private static long sessions(Connection control) {
        try (Statement statement = control.createStatement();
                ResultSet row = statement.executeQuery(ServerCounters.SESSIONS)) {
            return row.next() ? row.getLong(1) : 0;
        } catch (SQLException e) {
            return 0; // the counters that are read next say why
        }
    }

    /** Takes the counters that {@link #read} asked for as those of before the load. */
    void started() throws InterruptedException {
        before = answer().orElse(ServerCounters.NONE);
    }

    private Optional<ServerCounters> answer() throws InterruptedException {
        Bounded.Question<Optional<ServerCounters>> question = open;
        return question == null ? Optional.empty() : question.orElse(Optional.empty());
    }

    /** Adds what came between the two times that {@link #read} asked. */
    void addTo(Map<String, Double> database, Map<String, Double> wal, List<ServerStatement> statements)
            throws InterruptedException {
        Optional<ServerCounters> after = answer();
        if (after.isEmpty()) {
            notes.add(node.url() + " did not answer after the run: its counters are left out");
            return;
        }
        Deltas.add(database, before.database(), after.get().database(), "pg_stat_database of " + node.url(), notes);
        Deltas.add(wal, before.wal(), after.get().wal(), "WAL counters of " + node.url(), notes);
        if (before.statements() == null && after.get().statements() != null) {
            notes.add("pg_stat_statements of " + node.url()
                    + " could not be read before the run: its statements are left out");
        }
        statements.addAll(after.get().statementsSince(before, node.url()));
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
        Connection control = tellsNoWaits ? null : connection();
        if (control == null) {
            return;
        }
        try (Statement statement = control.createStatement();
                ResultSet rows = statement.executeQuery(ServerCounters.ACTIVITY)) {
            while (rows.next()) {
                synchronized (waits) {
                    waits.merge(rows.getString(1), rows.getLong(2), Long::sum);
                }
            }
        } catch (SQLException e) {
            tellsNoWaits = ServerErrors.sessionIsAlive(e);
            lost(e);
        }
    }

    /** Adds how often a session was seen to wait for what. */
    void addWaitsTo(Map<String, Long> all) {
        synchronized (waits) {
            waits.forEach((event, seen) -> all.merge(event, seen, Long::sum));
        }
    }

    /** What it did not let be read. */
    List<String> notes() {
        return List.copyOf(notes);
    }

    /** Asks something else, within the same time limit. */
    <T> Bounded.Question<T> begin(Callable<T> question) {
        return asking.begin(question);
    }

    /** The load average of its machine; empty where it may not be read. */
    Optional<Double> loadAverage() {
        Connection control = connection();
        if (control == null) {
            return Optional.empty();
        }
        try (Statement statement = control.createStatement();
                ResultSet row = statement.executeQuery("select pg_read_file('/proc/loadavg', 0, 100)")) {
            return row.next() ? Optional.of(firstNumber(row.getString(1))) : Optional.empty();
        } catch (SQLException | NumberFormatException e) {
            notes.add("load average of " + node.url() + " not readable: " + oneLine(e));
            return Optional.empty();
        }
    }

    private static Double firstNumber(String text) {
        int space = text.indexOf(' ');
        return Double.valueOf(space < 0 ? text.trim() : text.substring(0, space));
    }

    private @Nullable Connection connection() {
        try {
            Connection control = connection;
            if (control == null || control.isClosed()) {
                control = node.connector().openControl();
                connection = control;
            }
            return control;
        } catch (SQLException e) {
            lost(e);
            return null;
        }
    }

    private void lost(SQLException e) {
        notes.add(node.url() + (ServerErrors.isAnswer(e) ? " would not tell: " : " did not answer: ") + oneLine(e));
        drop();
    }

    private void drop() {
        Connection control = connection;
        connection = null;
        if (control != null) {
            DriverSession.abort(control);
        }
    }

    private static String oneLine(Exception e) {
        return String.valueOf(e.getMessage()).replaceAll("\\s+", " ");
    }

    /** Waits for answers only a moment from now on; may be called by any thread. */
    void hurry() {
        asking.hurry();
    }

    @Override
    public void close() {
        asking.close();
        drop();
    }
}
