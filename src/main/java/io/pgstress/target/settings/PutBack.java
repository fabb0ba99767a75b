package io.pgstress.target.settings;

import io.pgstress.target.driver.Connector;
import io.pgstress.target.driver.ServerErrors;
import io.pgstress.target.driver.SessionPurpose;
import io.pgstress.target.driver.TargetException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Restores the settings of one node on its own thread. A node that does not answer does not delay the others, and is not tried
 * again.
 */
final class PutBack {
    /** Maximum seconds for connecting to a server that does not hang. */
    private static final int MAX_CONNECTING = 5;

    private final List<Journal.Change> changes;
    private final Function<Journal.Change, Connector> way;
    private final int seconds;
    private final List<Journal.Change> left = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();
    private final Thread thread = new Thread(this::all, "put-back");
    private boolean silent;

    /** @param seconds the time limit of an answer */
    PutBack(List<Journal.Change> changes, Function<Journal.Change, Connector> way, int seconds) {
        this.changes = changes;
        this.way = way;
        this.seconds = seconds;
    }

    void start() {
        thread.start();
    }

    /** Waits for the end, without being interruptible. */
    void await() {
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** The changes that could not be restored; call it after the end. */
    List<Journal.Change> left() {
        return left;
    }

    /** One line for each of {@link #left}, with the reason and what to do. */
    List<String> failures() {
        return failures;
    }

    private void all() {
        for (Journal.Change change : changes) {
            try {
                undo(change);
            } catch (SQLException | RuntimeException e) {
                left.add(change);
                failures.add(change.url() + ": " + change.name() + " was not restored: " + reason(e, seconds)
                        + "; once the server answers, run: stress settings restore, or there: "
                        + ServerSettings.undoing(change.name(), change.before()) + "; select pg_reload_conf()");
            }
        }
    }

    private void undo(Journal.Change change) throws SQLException {
        if (silent) {
            throw new TargetException("the server did not answer before");
        }
        try (Connection connection = open(way.apply(change), seconds)) {
            new ServerSettings(connection, change.url()).putBack(change.name(), change.before());
        } catch (SQLException e) {
            silent = ServerErrors.isTimeout(e);
            throw e;
        }
    }

    /** A connection with a time limit for answers. */
    static Connection open(Connector connector, int seconds) throws SQLException {
        return connector.open(SessionPurpose.CONTROL.within(Math.min(seconds, MAX_CONNECTING), seconds));
    }

    /** Why something was not done. */
    static String reason(Exception e, int seconds) {
        if (e instanceof SQLTimeoutException || !ServerErrors.isTimeout(e)) {
            return String.valueOf(e.getMessage()).replaceAll("\\s+", " ");
        }
        return "no answer within " + seconds + " s";
    }
}
