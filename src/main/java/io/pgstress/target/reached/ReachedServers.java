package io.pgstress.target.reached;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** The number of sessions opened on each server. Thread-safe. */
public final class ReachedServers {
    private final Map<ReachedServer, LongAdder> sessions = new ConcurrentHashMap<>();

    /** Counts a session that was just opened, with a query. */
    public void count(Connection session) throws SQLException {
        sessions.computeIfAbsent(ReachedServer.of(session), s -> new LongAdder())
                .increment();
    }

    /** Sessions by server, in the order of the servers' names. */
    public Map<ReachedServer, Long> sessions() {
        Map<ReachedServer, Long> counts = new LinkedHashMap<>();
        sessions.entrySet().stream()
                .sorted((a, b) -> order(a.getKey()).compareTo(order(b.getKey())))
                .forEach(entry -> counts.put(entry.getKey(), entry.getValue().sum()));
        return counts;
    }

    private static String order(ReachedServer server) {
        return server.name() + " " + server.startedAt();
    }
}
