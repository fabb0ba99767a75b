package io.pgstress.probe;

import io.pgstress.result.ServerProfile.ServerStatement;
import io.pgstress.target.driver.ControlSql;
import io.pgstress.text.Rounded;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The counters, before and after the load, of a server that clients connect to. Not thread-safe. */
final class Counters {
    private static final long LOOK_MILLIS = 10;

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
     * often not before. It waits while sessions are ending, for a limited time, and notes how many are left.
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
                awaitSessionsEnd(control, of);
            }
            return ServerCounters.read(control, "%s", link::noteOfNode);
        } catch (SQLException e) {
            link.failed("counters", e);
            return ServerCounters.NONE;
        }
    }

    private void awaitSessionsEnd(Connection control, String of) throws SQLException {
        long start = System.nanoTime();
        long left = sessions(control);
        EndingSessions ending = new EndingSessions(left, start);
        while (ending.isWorthWaiting(left, System.nanoTime())) {
            try {
                TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
            left = sessions(control);
        }
        if (left > 0) {
            link.note(Rounded.format(
                    "%,d sessions on %s had not ended %.1f s after the load: its counters may lack their last"
                            + " operations",
                    left, of, (System.nanoTime() - start) / 1e9));
        }
    }

    private static long sessions(Connection control) throws SQLException {
        return ControlSql.number(control, ServerCounters.SESSIONS);
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

    /**
     * Decides how long to wait for the load's sessions to end. They end one after another, so a thousand take longer than ten: it is
     * worth waiting while some are ending. Not thread-safe.
     */
    static final class EndingSessions {
        /** If none has ended for this long, waiting is in vain. */
        static final long MAX_STANDSTILL_NANOS = TimeUnit.SECONDS.toNanos(1);

        /** Half of the time that a server has for all questions after the load. */
        static final long MAX_WAIT_NANOS = TimeUnit.SECONDS.toNanos(5);

        private final long start;
        private long left;
        private long lastEnd;

        /** @param left number of sessions that have not ended at {@code start}, a {@link System#nanoTime} */
        EndingSessions(long left, long start) {
            this.left = left;
            this.start = start;
            this.lastEnd = start;
        }

        /** Records how many are left; returns whether to go on waiting. */
        boolean isWorthWaiting(long nowLeft, long now) {
            lastEnd = nowLeft < left ? now : lastEnd;
            left = nowLeft;
            return left > 0 && now - lastEnd < MAX_STANDSTILL_NANOS && now - start < MAX_WAIT_NANOS;
        }
    }
}
