package io.pgstress.probe;

import io.pgstress.result.ServerCounts;
import io.pgstress.result.ServerCounts.ServerStatement;
import io.pgstress.runner.Findings;
import io.pgstress.runner.Probe;
import io.pgstress.target.driver.ControlSql;
import io.pgstress.target.driver.ServerErrors;
import io.pgstress.text.Rounded;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The counters of a server that clients connect to, before and after the load: its database, its WAL, its statements. */
final class ServerCounters implements Probe {
    private static final long LOOK_MILLIS = 10;

    /** Matches the tool's own statements. */
    private static final Pattern OWN = Pattern.compile(
            "pg_stat_|pg_read_file|pg_prepared_statements|(execute|deallocate|\\)) pgstress_explained|pgstress_proc"
                    + "|from pg_extension e join pg_namespace");

    /** Matches a statement that the server recorded when it was explained. */
    private static final Pattern EXPLAINED = Pattern.compile(
            "^\\s*(explain \\(verbose\\) |prepare pgstress_explained(\\([^)]*\\))? as )", Pattern.CASE_INSENSITIVE);

    /** Number of the load's sessions that have not ended. */
    private static final String SESSIONS = """
        select count(*) from pg_stat_activity
        where application_name = 'pgstress' and datname = current_database()
        """;

    private static final String DATABASE = """
        select xact_commit, xact_rollback, blks_read, blks_hit, tup_returned, tup_fetched, tup_inserted, tup_updated,
               tup_deleted, conflicts, temp_files, temp_bytes, deadlocks, blk_read_time, blk_write_time
        from pg_stat_database where datname = current_database()
        """;

    private static final String STATEMENTS = """
        select queryid, query, sum(calls), sum(rows), sum(%s), sum(shared_blks_hit), sum(shared_blks_read), sum(%s)
        from %s
        where dbid = (select oid from pg_database where datname = current_database())
          and userid = (select oid from pg_roles where rolname = current_user) and queryid is not null
        group by 1, 2
        """;

    /** A statement's counters. */
    record Counted(
            String query,
            long calls,
            long rows,
            double execMillis,
            long blocksHit,
            long blocksRead,
            @Nullable Long walBytes) {
        static final Counted NEVER = new Counted("", 0, 0, 0, 0, 0, 0L);

        private @Nullable Long walBytesSince(Counted then) {
            Long before = then.walBytes;
            return walBytes == null || before == null ? null : Long.valueOf(walBytes - before);
        }
    }

    /**
     * The counters at one moment.
     *
     * @param database counters of this database, by column of {@code pg_stat_database}
     * @param wal counters of WAL and checkpoints for the whole server
     * @param statements by query id: this role's statements in {@code pg_stat_statements}; null if they were not read
     */
    record Reading(
            Map<String, Double> database,
            Map<String, Double> wal,
            @Nullable Map<Long, Counted> statements) {
        static final Reading NONE = new Reading(Map.of(), Map.of(), null);

        /**
         * The counts since then, busiest first, without statements of control connections. Empty if one of the readings is
         * missing, because older counts would be attributed to the run.
         */
        List<ServerStatement> statementsSince(Reading before, String node) {
            List<ServerStatement> list = new ArrayList<>();
            Map<Long, Counted> old = before.statements;
            if (statements == null || old == null) {
                return list;
            }
            statements.forEach((id, now) -> {
                Counted then = old.getOrDefault(id, Counted.NEVER);
                if (now.calls < then.calls) {
                    then = Counted.NEVER; // reset in between, possibly by a restart
                }
                long calls = now.calls - then.calls;
                if (calls > 0 && !OWN.matcher(now.query).find()) {
                    double millis = now.execMillis - then.execMillis;
                    list.add(new ServerStatement(
                            node,
                            EXPLAINED.matcher(now.query).replaceFirst(""),
                            calls,
                            now.rows - then.rows,
                            millis,
                            millis * 1000 / calls,
                            now.blocksHit - then.blocksHit,
                            now.blocksRead - then.blocksRead,
                            now.walBytesSince(then)));
                }
            });
            list.sort((a, b) -> Long.compare(b.calls(), a.calls()));
            return list;
        }
    }

    private final String url;
    private final ServerLink link;
    private Reading before = Reading.NONE;
    private Reading after = Reading.NONE;

    /** @param url what clients use for the server */
    ServerCounters(String url, ServerLink link) {
        this.url = url;
        this.link = link;
    }

    @Override
    public void start() {
        before = read(false);
    }

    /**
     * Reads the counters after the load's sessions have ended: a server adds a session's counts at its end at the latest, and
     * often not before. It waits while sessions are ending, for a limited time, and notes how many are left.
     */
    @Override
    public void loadEnds() {
        after = read(true);
    }

    private Reading read(boolean isLoadOver) {
        try {
            Connection control = link.open();
            if (isLoadOver) {
                awaitSessionsEnd(control);
            }
            return read(control);
        } catch (SQLException e) {
            link.failed("counters", e);
            return Reading.NONE;
        }
    }

    private void awaitSessionsEnd(Connection control) throws SQLException {
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
                    left, url, (System.nanoTime() - start) / 1e9));
        }
    }

    private static long sessions(Connection control) throws SQLException {
        return ControlSql.number(control, SESSIONS);
    }

    /** Reads what is permitted; adds notes about the rest. */
    private Reading read(Connection connection) throws SQLException {
        Map<String, Double> database = new LinkedHashMap<>();
        Map<String, Double> wal = new LinkedHashMap<>();
        Map<Long, Counted> statements = null;
        int version = connection.getMetaData().getDatabaseMajorVersion();
        try (Statement statement = connection.createStatement()) {
            numbers(statement, DATABASE, database);
            try {
                if (version >= 14) {
                    numbers(statement, "select wal_records, wal_fpi, wal_bytes from pg_stat_wal", wal);
                }
                numbers(
                        statement,
                        version >= 17
                                ? "select num_timed checkpoints_timed, num_requested checkpoints_requested"
                                        + " from pg_stat_checkpointer"
                                : "select checkpoints_timed, checkpoints_req checkpoints_requested from"
                                        + " pg_stat_bgwriter",
                        wal);
            } catch (SQLException e) {
                link.noteOfNode("WAL counters of %s not readable: " + ServerErrors.messageOf(e));
            }
            try {
                statements = statements(statement, version);
            } catch (SQLException e) {
                StatementsView.failed(link, e);
            }
        }
        return new Reading(database, wal, statements);
    }

    private static Map<Long, Counted> statements(Statement statement, int majorVersion) throws SQLException {
        Map<Long, Counted> into = new HashMap<>();
        String view = StatementsView.name(statement.getConnection());
        String sql = majorVersion >= 13
                ? String.format(Locale.ROOT, STATEMENTS, "total_exec_time", "wal_bytes", view)
                : String.format(Locale.ROOT, STATEMENTS, "total_time", "null::bigint", view);
        try (ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                into.put(
                        rows.getLong(1),
                        new Counted(
                                rows.getString(2),
                                rows.getLong(3),
                                rows.getLong(4),
                                rows.getDouble(5),
                                rows.getLong(6),
                                rows.getLong(7),
                                rows.getObject(8) == null ? null : Long.valueOf(rows.getLong(8))));
            }
        }
        return into;
    }

    private static void numbers(Statement statement, String sql, Map<String, Double> into) throws SQLException {
        try (ResultSet row = statement.executeQuery(sql)) {
            ResultSetMetaData columns = row.getMetaData();
            if (row.next()) {
                for (int i = 1; i <= columns.getColumnCount(); i++) {
                    into.put(columns.getColumnLabel(i), row.getDouble(i));
                }
            }
        }
    }

    @Override
    public void contribute(Findings findings) {
        ServerCounts.Collector counts = findings.counts();
        link.addDeltas(counts.database, before.database, after.database, "pg_stat_database of " + url);
        link.addDeltas(counts.wal, before.wal, after.wal, "WAL counters of " + url);
        if (before.statements == null && after.statements != null) {
            link.note(
                    "pg_stat_statements of " + url + " could not be read before the run: its statements are left out");
        }
        counts.statements.addAll(after.statementsSince(before, url));
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
