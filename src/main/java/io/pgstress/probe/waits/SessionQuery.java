package io.pgstress.probe.waits;

import io.pgstress.result.OperationWaits;
import io.pgstress.target.dialect.Dialect.SessionNumbers;
import io.pgstress.target.driver.ControlSql;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Asks a server for its sessions and what they wait for, by queries that are prepared for its version. All versions answer with the
 * same columns; what one does not know is null. Not thread-safe.
 */
final class SessionQuery {
    /** The first version with {@code backend_type}. */
    private static final int TYPES_SINCE = 10;

    /** Bytes of WAL that a replication slot may keep, four segments, before it is said to lag. */
    private static final long MAX_LAG = 64 << 20;

    private static final String OWN = "application_name = 'pgstress' and datname = current_database()";

    /** Columns of a version without {@link #SESSION}, besides those of the wait. */
    private static final String PLAIN = """
        pid, state, hashtext(query) as query_hash, extract(epoch from state_change) as changed_seconds,
        extract(epoch from clock_timestamp()) as server_seconds,
        null as blocking_pids, null as beside, null as client, null as wal_bytes
        """;

    /** Before PostgreSQL 9.6, which shows whether a session waits for a lock, but no other waits. */
    static final String LOCKS = "select case when waiting then 'Lock' else 'NoLock' end as wait_event_type,"
            + " 'unknown' as wait_event, " + PLAIN + " from pg_stat_activity where " + OWN;

    /** PostgreSQL 9.6. */
    static final String WAITS = "select wait_event_type, wait_event, " + PLAIN + " from pg_stat_activity where " + OWN;

    /** What is read of a session, and of one that blocks others. */
    private static final String SESSION = """
        pid, state, wait_event_type, wait_event, hashtext(query) as query_hash,
        extract(epoch from state_change) as changed_seconds,
        case when wait_event_type = 'Lock' then array_to_string(pg_blocking_pids(pid), ' ') end as blocking_pids,
        backend_type
        """;

    /**
     * Since PostgreSQL 10. A row with a name in the column {@code beside} is no session, but what else the server does: a
     * checkpoint is in progress while the checkpointer does not wait for one.
     */
    private static final String SESSIONS = """
        select %session%,
               case backend_type when 'checkpointer' then 'checkpoint'
                    when 'autovacuum worker' then coalesce(nullif(left(query, 100), ''), backend_type) end as beside,
               extract(epoch from clock_timestamp()) as server_seconds,
               %client% as client,
               case when not pg_is_in_recovery() then pg_current_wal_lsn() - '0/0' end as wal_bytes
        from pg_stat_activity
        where (%client% is not null and datname = current_database())
           or (%own%)
           or (backend_type = 'checkpointer' and wait_event is distinct from 'CheckpointerMain')
           or (backend_type = 'autovacuum worker' and datname = current_database())
        """.replace("%session%", SESSION).replace("%own%", OWN)
            + beside("'replication slot ' || slot_name || ' lags'")
            + "from pg_replication_slots where"
            + " case when not pg_is_in_recovery() then pg_current_wal_lsn() - restart_lsn > " + MAX_LAG + " end";

    /** Since PostgreSQL 12, for those who may: while statements sort, hash or keep results on disk. */
    private static final String TEMPORARY_FILES =
            beside("'temporary files'") + "where exists (select from pg_ls_tmpdir())";

    private static final String MAY_LIST_TEMPORARY_FILES = """
        select coalesce(bool_or(has_function_privilege(oid, 'execute')), false)
        from pg_proc where proname = 'pg_ls_tmpdir' and pronargs = 0
        """;

    /** Since PostgreSQL 10. */
    private static final String BLOCKERS = """
        select %session%, left(query, 200) as statement, application_name
        from pg_stat_activity where pid = any(string_to_array(?, ' ')::int[])
        """.replace("%session%", SESSION);

    private final Connection control;
    private final PreparedStatement sessions;
    private final PreparedStatement blockers;

    /**
     * @param numbers how sessions of a cluster are numbered; null if servers do not work for each other's clients
     * @param isPlannedOnce whether the server keeps the plans
     */
    SessionQuery(Connection control, @Nullable SessionNumbers numbers, boolean isPlannedOnce) throws SQLException {
        this.control = control;
        this.sessions = ControlSql.prepare(control, sql(control, numbers), isPlannedOnce);
        this.blockers = ControlSql.prepare(control, BLOCKERS, isPlannedOnce);
    }

    static String sql(Connection control, @Nullable SessionNumbers numbers) throws SQLException {
        if (control.getMetaData().getDatabaseMajorVersion() < TYPES_SINCE) {
            return ControlSql.isSince(control, 9, 6) ? WAITS : LOCKS;
        }
        return SESSIONS.replace("%client%", numbers == null ? "null::bigint" : numbers.client())
                + (ControlSql.holds(control, MAY_LIST_TEMPORARY_FILES) ? TEMPORARY_FILES : "");
    }

    /** Adds a row that is no session to {@link #SESSIONS}, with its columns in the same order. */
    private static String beside(String name) {
        return " union all select 0, null, null, null, 0, null, null, '', " + name
                + ", extract(epoch from clock_timestamp()), null, null ";
    }

    /**
     * A session in a sample.
     *
     * @param type the type of the event that it waits for
     * @param blockers the processes that it waits for
     * @param query a hash of its statement; 0: it runs none
     * @param began when it began its statement, by the server's clock in seconds; 0: unknown
     */
    record Session(
            @Nullable String state,
            @Nullable String type,
            @Nullable String event,
            List<Integer> blockers,
            int query,
            double began) {
        private static final Session UNKNOWN = new Session(null, null, null, List.of(), 0, 0);

        private static Session of(ResultSet row) throws SQLException {
            String state = row.getString("state");
            String blockers = Objects.requireNonNullElse(row.getString("blocking_pids"), "");
            return new Session(
                    state,
                    row.getString("wait_event_type"),
                    row.getString("wait_event"),
                    blockers.isEmpty()
                            ? List.of()
                            : Stream.of(blockers.split(" ", -1))
                                    .map(Integer::valueOf)
                                    .toList(),
                    "active".equals(state) ? row.getInt("query_hash") : 0,
                    row.getDouble("changed_seconds"));
        }

        boolean isActive() {
            return "active".equals(state);
        }

        /** Whether it runs a statement and does not wait for the server that sent it. */
        boolean works() {
            return isActive() && !"Client".equals(type);
        }

        /** Whether it runs a statement that is known to have begun at {@link #began}. */
        boolean hasBegun() {
            return query != 0 && began > 0;
        }

        /**
         * As the server's totals name it: the wait of an active session, or the state of another one, which usually waits for the client.
         *
         * @param withoutEvent what an active session without a wait event does, as {@link OperationWaits} names it
         */
        String inTotals(String withoutEvent) {
            String waits = event == null ? "" : type + ":" + event;
            if (isActive()) {
                return event == null ? OperationWaits.WORDS.getOrDefault(withoutEvent, withoutEvent) : waits;
            }
            return Objects.requireNonNullElse(state, "unknown state")
                    + (event == null || "Client".equals(type) ? "" : " (" + waits + ")");
        }
    }

    /**
     * What the server answered.
     *
     * @param serverSeconds its time; {@link ServerClock#UNKNOWN} if it had no session to tell it
     * @param walBytes written since it was initialized; 0: unknown
     * @param sessions by process
     * @param workers the processes that work for a client's session, by its number among all servers
     * @param beside what else the server does
     */
    record Sessions(
            double serverSeconds,
            double walBytes,
            Map<Integer, Session> sessions,
            Map<Long, List<Integer>> workers,
            Set<String> beside) {}

    /** A session that others wait for. */
    record Blocking(Session session, String type, String application, String statement) {
        /** Prepared transactions have the number 0. */
        static final Blocking PREPARED_OR_GONE = new Blocking(Session.UNKNOWN, "", "", "");
    }

    /** The connection for which the queries are prepared. */
    Connection control() {
        return control;
    }

    /** Asks for the load's sessions, for those that work for them, and what else the server does. */
    Sessions sessions() throws SQLException {
        double[] time = {ServerClock.UNKNOWN, 0};
        Map<Integer, Session> found = new HashMap<>();
        Map<Long, List<Integer>> workers = new HashMap<>();
        Set<String> beside = new TreeSet<>();
        ControlSql.rows(sessions, row -> {
            time[0] = Math.min(time[0], row.getDouble("server_seconds"));
            time[1] = Math.max(time[1], row.getDouble("wal_bytes"));
            String fact = Objects.requireNonNullElse(row.getString("beside"), "");
            if (!fact.isEmpty()) {
                return beside.add(fact);
            }
            int pid = row.getInt("pid");
            long client = row.getLong("client");
            if (client != 0) {
                workers.computeIfAbsent(client, c -> new ArrayList<>()).add(pid);
            }
            found.put(pid, Session.of(row));
            return true;
        });
        return new Sessions(time[0], time[1], found, workers, beside);
    }

    /** Asks for processes that others wait for. Those that are not sessions any more are {@link Blocking#PREPARED_OR_GONE}. */
    Map<Integer, Blocking> blocking(Collection<Integer> pids, int max) throws SQLException {
        Map<Integer, Blocking> found = new HashMap<>();
        blockers.setString(1, pids.stream().limit(max).map(String::valueOf).collect(Collectors.joining(" ")));
        ControlSql.rows(
                blockers,
                row -> found.put(
                        row.getInt("pid"),
                        new Blocking(
                                Session.of(row),
                                Objects.requireNonNullElse(row.getString("backend_type"), ""),
                                Objects.requireNonNullElse(row.getString("application_name"), ""),
                                Objects.requireNonNullElse(row.getString("statement"), ""))));
        pids.forEach(pid -> found.putIfAbsent(pid, Blocking.PREPARED_OR_GONE));
        return found;
    }
}
