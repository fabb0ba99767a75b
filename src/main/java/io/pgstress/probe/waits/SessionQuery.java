package io.pgstress.probe.waits;

import io.pgstress.result.OperationWaits;
import io.pgstress.result.OperationWaits.Blocker;
import io.pgstress.target.dialect.Dialect.SessionNumbers;
import io.pgstress.target.driver.ControlSql;
import io.pgstress.target.driver.SessionPurpose;
import io.pgstress.text.SqlText;
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

    private static final String OWN = SessionPurpose.IS_OF_LOAD + " and datname = current_database()";

    /** Columns of a version without {@link #SESSION}, besides those of the wait. */
    private static final String PLAIN = """
        pid, state, hashtext(query) as query_hash, left(ltrim(query), 5) ilike 'copy ' as copies,
        extract(epoch from state_change) as changed_seconds, extract(epoch from clock_timestamp()) as server_seconds,
        null as blocking_pids, null as beside, null as number, null as works, null as wal_bytes
        """;

    /** Before PostgreSQL 9.6, which shows whether a session waits for a lock, but no other waits. */
    static final String LOCKS = "select case when waiting then 'Lock' else 'NoLock' end as wait_event_type,"
            + " 'unknown' as wait_event, " + PLAIN + " from pg_stat_activity where " + OWN;

    /** PostgreSQL 9.6. */
    static final String WAITS = "select wait_event_type, wait_event, " + PLAIN + " from pg_stat_activity where " + OWN;

    /** What is read of a session, and of one that blocks others. */
    private static final String SESSION = """
        pid, state, wait_event_type, wait_event, hashtext(query) as query_hash,
        left(ltrim(query), 5) ilike 'copy ' as copies, extract(epoch from state_change) as changed_seconds,
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
               %number% as number, coalesce(%works%, false) as works,
               case when not pg_is_in_recovery() then pg_current_wal_lsn() - '0/0' end as wal_bytes
        from pg_stat_activity
        where (%works% and datname = current_database())
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
        return SESSIONS.replace("%number%", numbers == null ? "null::bigint" : numbers.number())
                        .replace("%works%", numbers == null ? "false" : numbers.works())
                + (ControlSql.holds(control, MAY_LIST_TEMPORARY_FILES) ? TEMPORARY_FILES : "");
    }

    /** Adds a row that is no session to {@link #SESSIONS}, with its columns in the same order. */
    private static String beside(String name) {
        return " union all select 0, null, null, null, 0, null, null, null, '', " + name
                + ", extract(epoch from clock_timestamp()), null, false, null ";
    }

    /**
     * A session in a sample.
     *
     * @param type the type of the event that it waits for
     * @param blockers the processes that it waits for
     * @param query a hash of its statement; 0: it runs none
     * @param copies whether its statement is COPY, which waits for the client as it waits for other nodes
     * @param began when it began its statement, by the server's clock in seconds; 0: unknown
     */
    record Session(
            @Nullable String state,
            @Nullable String type,
            @Nullable String event,
            List<Integer> blockers,
            int query,
            boolean copies,
            double began) {
        private static final Session UNKNOWN = new Session(null, null, null, List.of(), 0, false, 0);

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
                    row.getBoolean("copies"),
                    row.getDouble("changed_seconds"));
        }

        boolean isActive() {
            return "active".equals(state);
        }

        /** Whether the server does not tell what it does ({@code track_activities}). */
        boolean isUntracked() {
            return "disabled".equals(state);
        }

        /** Whether it runs a statement and does not wait for the server that sent it. */
        boolean works() {
            return isActive() && !"Client".equals(type);
        }

        /**
         * Whether it waits for another node of its cluster.
         *
         * @param types those of events for which sessions of the cluster do
         */
        boolean waitsForNodes(Set<String> types) {
            return isActive() && event != null && !copies && types.contains(type);
        }

        boolean waitsForLock() {
            return "Lock".equals(type);
        }

        /** Whether it runs a statement that is known to have begun at {@link #began}. */
        boolean hasBegun() {
            return query != 0 && began > 0;
        }

        /**
         * As the server's totals name it: the wait of an active session, or the state of another one, which usually waits for the client.
         *
         * @param withoutEvent what an active session without a wait event does, as {@link OperationWaits} names it
         * @param ofNodes as in {@link #waitsForNodes}
         */
        String inTotals(String withoutEvent, Set<String> ofNodes) {
            String waits = event == null ? "" : type + ":" + event;
            if (waitsForNodes(ofNodes)) {
                String words = OperationWaits.WORDS.getOrDefault(OperationWaits.WORKERS, OperationWaits.WORKERS);
                return "Client".equals(type) ? words : words + " (" + waits + ")";
            }
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
     * @param own those of clients
     * @param numbers of clients' sessions among all servers, by process; without those that have none
     * @param workers the processes that work for a client's session, by its number among all servers
     * @param beside what else the server does
     */
    record Sessions(
            double serverSeconds,
            double walBytes,
            Map<Integer, Session> sessions,
            List<Session> own,
            Map<Integer, Long> numbers,
            Map<Long, List<Integer>> workers,
            Set<String> beside) {}

    /** A session that others wait for. */
    record Blocking(Session session, String type, String application, String statement) {
        /** Prepared transactions have the number 0. */
        static final Blocking PREPARED_OR_GONE = new Blocking(Session.UNKNOWN, "", "", "");

        /** The number that PostgreSQL gives for prepared transactions. */
        private static final int PREPARED = 0;

        /** Its statement without its values, or the last one of a session that is idle. */
        String oneLine() {
            return statement.replaceAll("\\s+", " ").strip();
        }

        /** Whose session it is, if it is none that is known to be in an operation of the run. */
        Blocker.Kind kind(int pid) {
            if (application.matches("pgstress( control| agent .*)?")) {
                return Blocker.Kind.RUN;
            }
            if (equals(PREPARED_OR_GONE)) {
                return pid == PREPARED ? Blocker.Kind.PREPARED_TRANSACTION : Blocker.Kind.UNKNOWN;
            }
            return type.isEmpty() || type.equals("client backend") ? Blocker.Kind.OTHER : Blocker.Kind.MAINTENANCE;
        }

        /** What it calls itself. */
        String name(int pid) {
            return kind(pid) == Blocker.Kind.MAINTENANCE ? type : kind(pid) == Blocker.Kind.RUN ? "" : application;
        }

        String state() {
            return Objects.requireNonNullElse(session.state(), "");
        }

        /** As the subject of a sentence, without its statement. */
        String words(int pid) {
            return new Blocker("", kind(pid), name(pid), "", state(), 1, 1).words();
        }
    }

    /** The connection for which the queries are prepared. */
    Connection control() {
        return control;
    }

    /** Asks for the load's sessions, for those that work for them, and what else the server does. */
    Sessions sessions() throws SQLException {
        double[] time = {ServerClock.UNKNOWN, 0};
        Map<Integer, Session> found = new HashMap<>();
        List<Session> own = new ArrayList<>();
        Map<Integer, Long> numbers = new HashMap<>();
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
            long number = row.getLong("number");
            boolean works = row.getBoolean("works");
            Session session = Session.of(row);
            found.put(pid, session);
            if (!works) {
                own.add(session);
            }
            if (number != 0 && works) {
                workers.computeIfAbsent(number, c -> new ArrayList<>()).add(pid);
            } else if (number != 0) {
                numbers.put(pid, number);
            }
            return true;
        });
        return new Sessions(time[0], time[1], found, own, numbers, workers, beside);
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
                                SqlText.withoutLiterals(Objects.requireNonNullElse(row.getString("statement"), "")))));
        pids.forEach(pid -> found.putIfAbsent(pid, Blocking.PREPARED_OR_GONE));
        return found;
    }
}
