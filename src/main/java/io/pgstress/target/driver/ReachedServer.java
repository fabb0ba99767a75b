package io.pgstress.target.driver;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The server that a session has reached, by its own account. Two are equal if they are the same postmaster, whatever their addresses: a
 * server that was restarted is another one.
 *
 * @param address its IP address for this session; null for a Unix socket
 * @param port on which it listens, also if the session came through a Unix socket
 * @param startedAt when its postmaster started, in UTC
 * @param systemIdentifier of its data; a standby has its primary's. Null if the role may not read it
 * @param isStandby whether it was in recovery
 */
public record ReachedServer(
        @Nullable String address,
        int port,
        String startedAt,
        @Nullable String systemIdentifier,
        boolean isStandby) {

    private static final String FIRST = "select host(inet_server_addr()), current_setting('port')::int,"
            + " to_char(pg_postmaster_start_time() at time zone 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"'),"
            + " pg_is_in_recovery(), ";

    private static final String IDENTIFIER = "(select system_identifier::text from pg_control_system())";

    /** Asks a session in autocommit mode; one that may not read the system identifier takes two queries. */
    public static ReachedServer of(Connection session) throws SQLException {
        if (!ControlSql.isSince(session, 9, 6)) {
            return read(session, "null");
        }
        try {
            return read(session, IDENTIFIER);
        } catch (SQLException e) {
            if (session.isClosed()) {
                throw e;
            }
            return read(session, "null");
        }
    }

    private static ReachedServer read(Connection session, String identifier) throws SQLException {
        return ControlSql.rows(
                        session,
                        FIRST + identifier,
                        row -> new ReachedServer(
                                row.getString(1), row.getInt(2), row.getString(3), row.getString(5), row.getBoolean(4)))
                .get(0);
    }

    /** Whether this name and port lead to it without a translation of addresses. */
    public boolean isAt(String host, int otherPort) {
        if (address == null || port != otherPort) {
            return false;
        }
        try {
            return Arrays.asList(InetAddress.getAllByName(host)).contains(InetAddress.getByName(address));
        } catch (UnknownHostException e) {
            return false;
        }
    }

    /** Whether both have the same data, as far as known; false only if their system identifiers differ. */
    public boolean hasDataOf(ReachedServer other) {
        return systemIdentifier == null
                || other.systemIdentifier == null
                || systemIdentifier.equals(other.systemIdentifier);
    }

    /** Its address and port; without them, when it was started. */
    public String name() {
        if (address == null) {
            return "Unix socket, started " + startedAt;
        }
        return (address.contains(":") ? "[" + address + "]" : address) + ":" + port;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ReachedServer o
                && port == o.port
                && startedAt.equals(o.startedAt)
                && Objects.equals(systemIdentifier, o.systemIdentifier);
    }

    @Override
    public int hashCode() {
        return Objects.hash(port, startedAt, systemIdentifier);
    }

    /**
     * Sessions on one server.
     *
     * @param first the number of the first one among those of all servers, from 1
     * @param last the number of the last one
     * @param firstAt when the first one was opened
     */
    public record Counted(long sessions, long first, long last, long firstAt) {
        private Counted plus(Counted later) {
            return new Counted(sessions + later.sessions, first, later.last, firstAt);
        }
    }

    /** The sessions opened on each server, numbered as they were opened. Thread-safe. */
    public static final class SessionCounts {
        private final Map<ReachedServer, Counted> sessions = new ConcurrentHashMap<>();
        private final AtomicLong opened = new AtomicLong();
        private final LongSupplier clock;

        /** @param clock tells the time; any thread may ask */
        public SessionCounts(LongSupplier clock) {
            this.clock = clock;
        }

        /** Counts a session that was just opened, with a query. */
        public void count(Connection session) throws SQLException {
            count(ReachedServer.of(session));
        }

        void count(ReachedServer server) {
            long number = opened.incrementAndGet();
            sessions.merge(server, new Counted(1, number, number, clock.getAsLong()), Counted::plus);
        }

        /** Sessions by server, in the order of the servers' names. */
        public Map<ReachedServer, Counted> sessions() {
            Map<ReachedServer, Counted> counts = new LinkedHashMap<>();
            sessions.entrySet().stream()
                    .sorted((a, b) -> order(a.getKey()).compareTo(order(b.getKey())))
                    .forEach(entry -> counts.put(entry.getKey(), entry.getValue()));
            return counts;
        }

        /**
         * The server from which another one took over: no session reached it after the first one of its successor. Empty if there is none;
         * the server before a restart is none.
         */
        public Optional<ReachedServer> predecessor(ReachedServer successor) {
            Counted own = Objects.requireNonNull(sessions.get(successor));
            return sessions.entrySet().stream()
                    .filter(before -> before.getValue().first() < own.first)
                    .max(Comparator.comparingLong(before -> before.getValue().first()))
                    .filter(before -> before.getValue().last() < own.first)
                    .map(Map.Entry::getKey)
                    .filter(before -> !before.name().equals(successor.name()));
        }

        private static String order(ReachedServer server) {
            return server.name() + " " + server.startedAt();
        }
    }
}
