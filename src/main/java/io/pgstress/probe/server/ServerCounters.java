package io.pgstress.probe.server;

import io.pgstress.result.RemarkCode;
import io.pgstress.result.ServerCounts;
import io.pgstress.result.ServerCounts.ServerStatement;
import io.pgstress.runner.Findings;
import io.pgstress.target.driver.ControlSql;
import io.pgstress.target.driver.ServerErrors;
import java.sql.Connection;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The counters of a server that clients connect to, before and after the load: its database, its WAL, its statements. */
public final class ServerCounters implements ServerPart {
    private static final long LOOK_MILLIS = 10;

    /** Matches the tool's own statements. */
    private static final Pattern OWN = Pattern.compile(
            "pg_stat_|pg_read_file|pg_prepared_statements|from pg_settings|(execute|deallocate|\\)) pgstress_explained|pgstress_proc"
                    + "|from pg_extension e join pg_namespace");

    /** Matches a statement that the server recorded when it was explained. */
    private static final Pattern EXPLAINED = Pattern.compile(
            "^\\s*(explain \\(verbose\\) |prepare pgstress_explained(\\([^)]*\\))? as )", Pattern.CASE_INSENSITIVE);

    /**
     * The number of sessions of loads, without those that have begun or ended a statement in the last milliseconds, the time waited so far: these
     * belong to another run.
     */
    private static final String SESSIONS = """
        select count(*) from pg_stat_activity
        where application_name = 'pgstress' and datname = current_database()
          and (state_change < clock_timestamp() - %d * interval '1 ms' or state_change is null)
        """;

    private static final String DATABASE = """
        select xact_commit, xact_rollback, blks_read, blks_hit, tup_returned, tup_fetched, tup_inserted, tup_updated,
               tup_deleted, conflicts, temp_files, temp_bytes, deadlocks, blk_read_time, blk_write_time
        from pg_stat_database where datname = current_database()
        """;

    private static final String STATEMENTS = """
        select queryid, query, sum(calls), sum(rows), sum({time}), sum(shared_blks_hit), sum(shared_blks_read), sum({wal})
        from {view}
        where dbid = (select oid from pg_database where datname = current_database())
          and userid = (select oid from pg_roles where rolname = current_user) and queryid is not null
        group by 1, 2
        """;

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
            @Nullable Map<Long, ServerStatement> statements) {
        static final Reading NONE = new Reading(Map.of(), Map.of(), null);

        private static final ServerStatement NEVER = new ServerStatement("", "", 0, 0, 0, null, 0L, 0L, 0L);

        /**
         * The counts since then, busiest first, without statements of control connections. Empty if one of the readings is
         * missing, because older counts would be attributed to the run.
         */
        List<ServerStatement> statementsSince(Reading before, String node) {
            List<ServerStatement> list = new ArrayList<>();
            Map<Long, ServerStatement> old = before.statements;
            if (statements == null || old == null) {
                return list;
            }
            statements.forEach((id, now) -> {
                ServerStatement then = old.getOrDefault(id, NEVER);
                if (now.calls() < then.calls()) {
                    then = NEVER; // reset in between, possibly by a restart
                }
                long calls = now.calls() - then.calls();
                if (calls > 0 && !OWN.matcher(now.query()).find()) {
                    double millis = now.totalExecMillis() - then.totalExecMillis();
                    list.add(new ServerStatement(
                            node,
                            EXPLAINED.matcher(now.query()).replaceFirst(""),
                            calls,
                            now.rows() - then.rows(),
                            millis,
                            millis * 1000 / calls,
                            difference(now.blocksHit(), then.blocksHit()),
                            difference(now.blocksRead(), then.blocksRead()),
                            difference(now.walBytes(), then.walBytes())));
                }
            });
            list.sort(Comparator.comparing(ServerStatement::calls).reversed());
            return list;
        }

        private static @Nullable Long difference(@Nullable Long now, @Nullable Long then) {
            return now == null || then == null ? null : Long.valueOf(now - then);
        }
    }

    private final String url;
    private final ServerLink link;
    private Reading before = Reading.NONE;
    private Reading after = Reading.NONE;

    /** @param url what clients use for the server */
    public ServerCounters(String url, ServerLink link) {
        this.url = url;
        this.link = link;
    }

    @Override
    public void begin() {
        before = read();
    }

    /**
     * Reads the counters after the load's sessions have ended: a server adds a session's counts at its end at the latest, and
     * often not before. It waits while sessions are ending, for a limited time, and notes how many are left.
     */
    @Override
    public void end() throws InterruptedException {
        try {
            awaitSessionsEnd(link.open());
            after = read();
        } catch (SQLException e) {
            link.failed("counters", e);
        }
    }

    private Reading read() {
        try {
            return read(link.open());
        } catch (SQLException e) {
            link.failed("counters", e);
            return Reading.NONE;
        }
    }

    private void awaitSessionsEnd(Connection control) throws SQLException, InterruptedException {
        long start = System.nanoTime();
        long left = sessionsLeft(control, start);
        EndingSessions ending = new EndingSessions(left, start);
        while (ending.isWorthWaiting(left, System.nanoTime())) {
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
            left = sessionsLeft(control, start);
        }
        if (left > 0) {
            link.note(RemarkCode.SESSIONS_LEFT
                    .with("sessions", left)
                    .with("server", url)
                    .with("seconds", (System.nanoTime() - start) / 1e9)
                    .remark());
        }
    }

    private static long sessionsLeft(Connection control, long start) throws SQLException {
        return ControlSql.number(
                control,
                SESSIONS.replace("%d", Long.toString(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start))));
    }

    /** Reads what is permitted; adds notes about the rest. */
    private Reading read(Connection connection) throws SQLException {
        Map<String, Double> database = new LinkedHashMap<>();
        Map<String, Double> wal = new LinkedHashMap<>();
        Map<Long, ServerStatement> statements = null;
        int version = connection.getMetaData().getDatabaseMajorVersion();
        numbers(connection, DATABASE, database);
        try {
            if (version >= 14) {
                numbers(connection, "select wal_records, wal_fpi, wal_bytes from pg_stat_wal", wal);
            }
            numbers(
                    connection,
                    version >= 17
                            ? "select num_timed checkpoints_timed, num_requested checkpoints_requested"
                                    + " from pg_stat_checkpointer"
                            : "select checkpoints_timed, checkpoints_req checkpoints_requested from"
                                    + " pg_stat_bgwriter",
                    wal);
        } catch (SQLException e) {
            link.noteOfNode(RemarkCode.WAL_NOT_READABLE
                    .with("servers", link.name())
                    .with("error", ServerErrors.messageOf(e))
                    .remark());
        }
        try {
            statements = statements(connection, version);
        } catch (SQLException e) {
            StatementsView.failed(link, e);
        }
        return new Reading(database, wal, statements);
    }

    private static Map<Long, ServerStatement> statements(Connection connection, int version) throws SQLException {
        Map<Long, ServerStatement> into = new HashMap<>();
        String sql = STATEMENTS
                .replace("{time}", version >= 13 ? "total_exec_time" : "total_time")
                .replace("{wal}", version >= 13 ? "wal_bytes" : "null::bigint")
                .replace("{view}", StatementsView.name(connection));
        ControlSql.rows(
                        connection,
                        sql,
                        row -> Map.entry(
                                row.getLong(1),
                                new ServerStatement(
                                        "",
                                        row.getString(2),
                                        row.getLong(3),
                                        row.getLong(4),
                                        row.getDouble(5),
                                        null,
                                        row.getLong(6),
                                        row.getLong(7),
                                        row.getObject(8) == null ? null : Long.valueOf(row.getLong(8)))))
                .forEach(statement -> into.put(statement.getKey(), statement.getValue()));
        return into;
    }

    private static void numbers(Connection connection, String sql, Map<String, Double> into) throws SQLException {
        ControlSql.rows(connection, sql, row -> {
            ResultSetMetaData columns = row.getMetaData();
            for (int i = 1; i <= columns.getColumnCount(); i++) {
                into.put(columns.getColumnLabel(i), row.getDouble(i));
            }
            return columns;
        });
    }

    @Override
    public void contribute(Findings findings) {
        ServerCounts.Collector counts = findings.counts();
        link.addDeltas(counts.database, before.database, after.database, "pg_stat_database of " + url);
        link.addDeltas(counts.wal, before.wal, after.wal, "WAL counters of " + url);
        if (before.statements == null && after.statements != null) {
            link.note(RemarkCode.STATEMENTS_NOT_READ_BEFORE.with("server", url).remark());
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
