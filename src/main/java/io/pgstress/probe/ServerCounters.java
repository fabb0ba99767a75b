package io.pgstress.probe;

import io.pgstress.result.ServerProfile.ServerStatement;
import io.pgstress.target.driver.ServerErrors;
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
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A server's counters at one moment.
 *
 * @param database counters of this database, by column of {@code pg_stat_database}
 * @param wal counters of WAL and checkpoints for the whole server
 * @param statements by query id: this role's statements in {@code pg_stat_statements}; null if they were not read
 */
record ServerCounters(
        Map<String, Double> database,
        Map<String, Double> wal,
        @Nullable Map<Long, Counted> statements) {
    static final ServerCounters NONE = new ServerCounters(Map.of(), Map.of(), null);

    /** Matches the tool's own statements. */
    private static final Pattern OWN = Pattern.compile(
            "pg_stat_|pg_read_file|pg_prepared_statements|(execute|deallocate|\\)) pgstress_explained|pgstress_proc"
                    + "|from pg_extension e join pg_namespace");

    /** Matches a statement that the server recorded when it was explained. */
    private static final Pattern EXPLAINED = Pattern.compile(
            "^\\s*(explain \\(verbose\\) |prepare pgstress_explained(\\([^)]*\\))? as )", Pattern.CASE_INSENSITIVE);

    /** What the load's sessions are doing, with the number of sessions. */
    static final String ACTIVITY = """
        select case when state = 'active' and wait_event is null then 'active: on CPU'
                    else coalesce(state, '?') || ': ' || coalesce(wait_event_type || '/' || wait_event, 'nothing') end,
               count(*)
        from pg_stat_activity
        where application_name = 'pgstress' and datname = current_database() group by 1
        """;

    /** Number of the load's sessions that have not ended. */
    static final String SESSIONS = """
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

    /** Reads what is permitted; adds notes about the rest. */
    static ServerCounters read(Connection connection, String node, Consumer<String> notes) {
        Map<String, Double> database = new LinkedHashMap<>();
        Map<String, Double> wal = new LinkedHashMap<>();
        AtomicReference<@Nullable Map<Long, Counted>> statements = new AtomicReference<>();
        try (Statement statement = connection.createStatement()) {
            numbers(statement, DATABASE, database);
            int version = statement.getConnection().getMetaData().getDatabaseMajorVersion();
            tryRead(notes, node, "WAL counters", () -> {
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
            });
            tryRead(notes, node, StatementsView.NAME, () -> statements.set(statements(statement, version)));
        } catch (SQLException e) {
            notes.accept("counters of " + node + " not readable: " + ServerErrors.messageOf(e));
        }
        return new ServerCounters(database, wal, statements.get());
    }

    /**
     * The counts since then, busiest first, without statements of control connections. Empty if one of the readings is
     * missing, because older counts would be attributed to the run.
     */
    List<ServerStatement> statementsSince(ServerCounters before, String node) {
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

    @FunctionalInterface
    private interface Reading {
        void run() throws SQLException;
    }

    private static void tryRead(Consumer<String> notes, String node, String what, Reading reading) {
        try {
            reading.run();
        } catch (SQLException e) {
            String remedy = what.equals(StatementsView.NAME) ? StatementsView.remedy(e) : "";
            notes.accept(
                    remedy.isEmpty()
                            ? what + " of " + node + " not readable: " + ServerErrors.messageOf(e)
                            : StatementsView.UNAVAILABLE.replace("%s", node) + remedy);
        }
    }
}
