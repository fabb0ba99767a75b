package io.pgstress.probe.server;

import io.pgstress.result.ServerProfile.ServerStatement;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The counters, before and after the load, of a server that clients connect to. Not thread-safe. */
final class Counters {
    private static final long MAX_WAIT_MILLIS = 1_000;

    private final @Nullable String url;
    private final ServerLink link;
    private ServerCounters before = ServerCounters.NONE;
    private ServerCounters after = ServerCounters.NONE;

    Counters(ServerList.Observed server, ServerLink link) {
        this.url = server.url();
        this.link = link;
    }

    void readBefore() {
        if (url != null) {
            before = read(url, false);
        }
    }

    /**
     * Reads the counters after the load's sessions have ended: a server adds a session's counts at its end at the latest, and
     * often not before. It waits at most {@value #MAX_WAIT_MILLIS} ms for sessions that are still ending.
     */
    void readAfter() {
        if (url != null) {
            after = read(url, true);
        }
    }

    private ServerCounters read(String of, boolean isLoadOver) {
        try {
            Connection control = link.open();
            if (isLoadOver) {
                awaitSessionsEnd(control);
            }
            return ServerCounters.read(control, of, link::note);
        } catch (SQLException e) {
            link.failed("counters", e);
            return ServerCounters.NONE;
        }
    }

    private static void awaitSessionsEnd(Connection control) throws SQLException {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(MAX_WAIT_MILLIS);
        while (sessions(control) > 0 && System.nanoTime() < end) {
            try {
                TimeUnit.MILLISECONDS.sleep(10);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    private static long sessions(Connection control) throws SQLException {
        try (Statement statement = control.createStatement();
                ResultSet row = statement.executeQuery(ServerCounters.SESSIONS)) {
            return row.next() ? row.getLong(1) : 0;
        }
    }

    /** Adds the differences. */
    void addTo(Map<String, Double> database, Map<String, Double> wal, List<ServerStatement> statements) {
        if (url == null) {
            return;
        }
        Deltas.add(database, before.database(), after.database(), "pg_stat_database of " + url, link::note);
        Deltas.add(wal, before.wal(), after.wal(), "WAL counters of " + url, link::note);
        if (before.statements() == null && after.statements() != null) {
            link.note(
                    "pg_stat_statements of " + url + " could not be read before the run: its statements are left out");
        }
        statements.addAll(after.statementsSince(before, url));
    }
}
