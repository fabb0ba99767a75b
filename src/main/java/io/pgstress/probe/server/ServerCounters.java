package io.pgstress.probe.server;

import io.pgstress.result.OperationResult;
import io.pgstress.result.OperationResult.StatementResult;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.ServerCounts;
import io.pgstress.result.ServerCounts.ServerStatement;
import io.pgstress.runner.Findings;
import io.pgstress.target.driver.ControlSql;
import io.pgstress.target.driver.ServerErrors;
import io.pgstress.target.driver.SessionPurpose;
import java.sql.Connection;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The counters of a server that clients connect to, before and after the load: its database, its WAL, its statements. */
public final class ServerCounters implements ServerPart {
    private static final long LOOK_MILLIS = 10;

    /** Matches the tool's own statements. */
    private static final Pattern OWN = Pattern.compile(
            "pg_stat_|pg_read_file|pg_prepared_statements|from pg_settings|(execute|deallocate|\\)) pgstress_explained|pgstress_proc"
                    + "|from pg_extension e join pg_namespace|pg_postmaster_start_time");

    /** Matches a statement that the server recorded when it was explained. */
    private static final Pattern EXPLAINED = Pattern.compile(
            "^\\s*(explain \\(verbose\\) |prepare pgstress_explained(\\([^)]*\\))? as )", Pattern.CASE_INSENSITIVE);

    /**
     * The number of sessions of loads, without those that have begun or ended a statement in the last milliseconds, the time waited so far: these
     * belong to another run.
     */
    private static final String SESSIONS = """
        select count(*) from pg_stat_activity
        where {load} and datname = current_database()
          and (state_change < clock_timestamp() - %d * interval '1 ms' or state_change is null)
        """.replace("{load}", SessionPurpose.IS_OF_LOAD);

    private static final String DATABASE = """
        select xact_commit, xact_rollback, blks_read, blks_hit, tup_returned, tup_fetched, tup_inserted, tup_updated,
               tup_deleted, conflicts, temp_files, temp_bytes, deadlocks, blk_read_time, blk_write_time, stats_reset
        from pg_stat_database where datname = current_database()
        """;

    private static final String STATEMENTS = """
        select queryid, min(query), sum(calls), sum(rows), sum({time}), sum(shared_blks_hit), sum(shared_blks_read), sum({wal})
        from {view}
        where dbid = (select oid from pg_database where datname = current_database())
          and userid = (select oid from pg_roles where rolname = current_user) and queryid is not null
        group by 1
        """;

    /** The column with the time of the last reset, in each view. */
    private static final String RESET_AT = "stats_reset";

    /** A server that counted fewer of a statement's executions lost some: with single errors in the warm-up, it counts nearly all. */
    private static final double MIN_COUNTED = 0.98;

    private static final double FEW_CALLS = 10;

    private static final Pattern CONSTANT = Pattern.compile("\\$\\d+|\\?|'(?:[^']++|'')*+'|\\b\\d+(?:\\.\\d+)?\\b");

    /** The first version in which a missing time means that nothing was reset; before, it means that nothing was counted yet. */
    private static final int NEVER_RESET_SINCE = 15;

    /**
     * Counters of some views at one moment.
     *
     * @param values by column
     * @param resetAt when each view was reset the last time, where the server tells it
     */
    record Counters(Map<String, Double> values, List<String> resetAt) {
        static final Counters NONE = new Counters(Map.of(), List.of());
    }

    /**
     * The entries of this role in {@code pg_stat_statements} at one moment.
     *
     * @param byId by query id, those of control connections included
     */
    record Statements(Map<Long, ServerStatement> byId, StatementsView.Losses losses) {
        private static final ServerStatement NEVER = new ServerStatement("", "", 0, 0, 0, null, 0L, 0L, 0L);

        /**
         * The remark on counts that were lost since then, so that those of the run may be too low; empty if none were.
         *
         * @param what names the view and its server
         */
        Optional<Remark> loss(Statements before, String what) {
            if (losses.wereAllResetSince(before.losses)) {
                return Optional.of(RemarkCode.COUNTERS_RESET.with("what", what).remark());
            }
            boolean mayHaveDropped = losses.mayHaveDroppedSince(before.losses);
            boolean isOneLower = byId.entrySet().stream()
                    .filter(now -> !mayHaveDropped
                            || !OWN.matcher(now.getValue().query()).find())
                    .anyMatch(now -> now.getValue().calls()
                            < before.byId.getOrDefault(now.getKey(), NEVER).calls());
            if (mayHaveDropped) { // one that is gone was rarely used, so not by the run
                return isOneLower
                        ? Optional.of(
                                RemarkCode.COUNTERS_DROPPED.with("what", what).remark())
                        : Optional.empty();
            }
            return isOneLower || !byId.keySet().containsAll(before.byId.keySet())
                    ? Optional.of(RemarkCode.COUNTERS_RESET.with("what", what).remark())
                    : Optional.empty();
        }

        /** The counts since then, busiest first, without statements of control connections. */
        List<ServerStatement> since(Statements before, String node) {
            boolean areAllNew = losses.wereAllResetSince(before.losses);
            List<ServerStatement> list = new ArrayList<>();
            byId.forEach((id, now) -> {
                ServerStatement then = areAllNew ? NEVER : before.byId.getOrDefault(id, NEVER);
                if (now.calls() < then.calls()) {
                    then = NEVER; // reset or dropped in between
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

    /**
     * The counters at one moment.
     *
     * @param scope what they belong to; null if nothing was read
     * @param database counters of this database
     * @param wal counters of WAL and checkpoints for the whole server
     * @param statements null if they were not read
     */
    record Reading(
            @Nullable CounterScope scope,
            Counters database,
            Counters wal,
            @Nullable Statements statements) {
        static final Reading NONE = new Reading(null, Counters.NONE, Counters.NONE, null);
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
        CounterScope scope = CounterScope.of(connection);
        Statements statements = null;
        int version = connection.getMetaData().getDatabaseMajorVersion();
        Counters database = counters(connection, version, List.of(DATABASE));
        Counters wal = Counters.NONE;
        try {
            wal = counters(connection, version, ofWal(version));
        } catch (SQLException e) {
            link.noteOfNode(RemarkCode.WAL_NOT_READABLE
                    .with("servers", link.name())
                    .with("error", ServerErrors.messageOf(e))
                    .remark());
        }
        try {
            Statements all = new Statements(statements(connection, version), StatementsView.losses(connection));
            statements = StatementsView.isTracking(link) ? all : null;
        } catch (SQLException e) {
            StatementsView.failed(link, e);
        }
        return new Reading(scope, database, wal, statements);
    }

    private static List<String> ofWal(int version) {
        String checkpoints = version >= 17
                ? "select num_timed checkpoints_timed, num_requested checkpoints_requested, stats_reset"
                        + " from pg_stat_checkpointer"
                : "select checkpoints_timed, checkpoints_req checkpoints_requested, stats_reset from pg_stat_bgwriter";
        return version >= 14
                ? List.of("select wal_records, wal_fpi, wal_bytes, stats_reset from pg_stat_wal", checkpoints)
                : List.of(checkpoints);
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

    private static Counters counters(Connection connection, int version, List<String> queries) throws SQLException {
        Map<String, Double> values = new LinkedHashMap<>();
        List<String> resetAt = new ArrayList<>();
        for (String query : queries) {
            ControlSql.rows(connection, query, row -> {
                ResultSetMetaData columns = row.getMetaData();
                for (int i = 1; i <= columns.getColumnCount(); i++) {
                    String column = columns.getColumnLabel(i);
                    if (!column.equals(RESET_AT)) {
                        values.put(column, row.getDouble(i));
                    } else if (version >= NEVER_RESET_SINCE || row.getString(i) != null) {
                        resetAt.add(String.valueOf(row.getString(i)));
                    }
                }
                return columns;
            });
        }
        return new Counters(values, resetAt);
    }

    @Override
    public void contribute(Findings findings) {
        ServerCounts.Collector counts = findings.counts();
        CounterScope scope = after.scope;
        if (scope == null) {
            return;
        }
        if (counts.isNew("database", scope.ofDatabase())) {
            add(counts.database, before.database, after.database, "pg_stat_database of " + url);
        }
        if (counts.isNew("WAL", scope.ofServer())) {
            add(counts.wal, before.wal, after.wal, "WAL counters of " + url);
        }
        Statements now = after.statements;
        if (now != null && counts.isNew("statements", scope)) {
            Statements then = before.statements;
            if (then == null) { // older counts would be attributed to the run
                link.note(RemarkCode.STATEMENTS_NOT_READ_BEFORE
                        .with("server", url)
                        .remark());
            } else {
                now.loss(then, "pg_stat_statements of " + url).ifPresent(link::note);
                counts.statements.addAll(now.since(then, url));
            }
        }
    }

    /**
     * The remark on a statement that the clients executed more often than the servers counted; empty if there is none. Neither a time of
     * a reset nor a lower count shows that one entry was removed: by {@code pg_stat_statements_reset}, or to make room.
     *
     * @param operations what the clients did on these servers
     * @param counted by the servers; a statement without a count may be one that they do not count, or whose text they change
     */
    public static Optional<Remark> missing(Collection<OperationResult> operations, List<ServerStatement> counted) {
        Map<String, Double> made = new LinkedHashMap<>();
        for (OperationResult operation : operations) {
            operation
                    .statements()
                    .values()
                    .forEach(statement -> made.merge(
                            withoutConstants(statement.sql()), succeeded(operation, statement), Double::sum));
        }
        Map<String, Long> seen = counted.stream()
                .collect(Collectors.groupingBy(
                        statement -> withoutConstants(statement.query()),
                        Collectors.summingLong(ServerStatement::calls)));
        return made.entrySet().stream()
                .filter(own -> seen.containsKey(own.getKey())
                        && seen.get(own.getKey()) < MIN_COUNTED * own.getValue() - FEW_CALLS)
                .max(Comparator.comparingDouble(own -> own.getValue() - seen.getOrDefault(own.getKey(), 0L)))
                .map(own -> RemarkCode.STATEMENTS_MISSING
                        .with("counted", seen.get(own.getKey()))
                        .with("made", Math.round(own.getValue()))
                        .remark());
    }

    /** The executions that no error can have ended: the server counts only those that succeed. */
    private static double succeeded(OperationResult operation, StatementResult statement) {
        double ofAll = statement.calls() == 0 ? 1 : (double) statement.callsInAll() / statement.calls();
        return Math.max(0, statement.callsInAll() - ofAll * (operation.failed() + operation.retries()));
    }

    /** The text of a statement as the clients and the server have it, without what the server replaces by parameters. */
    private static String withoutConstants(String sql) {
        return CONSTANT.matcher(sql).replaceAll("?").replaceAll("\\s+", " ").strip();
    }

    private void add(Map<String, Double> sums, Counters then, Counters now, String what) {
        boolean wasReset = then.resetAt.size() == now.resetAt.size() && !then.resetAt.equals(now.resetAt);
        link.addDeltas(sums, then.values, now.values, wasReset, what);
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
