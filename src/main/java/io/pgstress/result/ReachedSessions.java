package io.pgstress.result;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The clients' sessions on one of the servers that a URL leads to, by the server's own account when each session was opened.
 *
 * @param server its address and port
 * @param startedAt when its postmaster started, in UTC
 * @param systemIdentifier of its data; null if the role may not read it
 * @param standby whether it was in recovery
 * @param sessions number of sessions opened there, including those that replaced others
 * @param first the number of the first of them among the node's sessions, in the order in which they were opened, from 1
 * @param last the number of the last one
 */
public record ReachedSessions(
        String server,
        String startedAt,
        @Nullable String systemIdentifier,
        boolean standby,
        long sessions,
        long first,
        long last) {

    /** The sessions of several hosts together; null if they are unknown on all. */
    public static @Nullable List<ReachedSessions> together(
            Collection<? extends @Nullable List<ReachedSessions>> parts) {
        Map<ReachedSessions, ReachedSessions> byServer = new LinkedHashMap<>();
        parts.stream()
                .filter(Objects::nonNull)
                .flatMap(List::stream)
                .forEach(part -> byServer.merge(part.with(0, 0, 0), part, ReachedSessions::plus));
        return byServer.isEmpty() ? null : List.copyOf(byServer.values());
    }

    private ReachedSessions with(long others, long newFirst, long newLast) {
        return new ReachedSessions(server, startedAt, systemIdentifier, standby, others, newFirst, newLast);
    }

    /** Those of another host, which numbers its sessions alike. */
    private ReachedSessions plus(ReachedSessions other) {
        return with(sessions + other.sessions, Math.min(first, other.first), Math.max(last, other.last));
    }

    /** Pairs of servers of which the second took over: no session reached the first one after it. A restarted server is none. */
    public static List<List<ReachedSessions>> successions(List<ReachedSessions> all) {
        List<ReachedSessions> inOrder = all.stream()
                .sorted(Comparator.comparingLong(ReachedSessions::first))
                .toList();
        List<List<ReachedSessions>> pairs = new ArrayList<>();
        for (int i = 1; i < inOrder.size(); i++) {
            ReachedSessions before = inOrder.get(i - 1);
            ReachedSessions after = inOrder.get(i);
            if (before.last < after.first && !before.server.equals(after.server)) {
                pairs.add(List.of(before, after));
            }
        }
        return pairs;
    }

    /** The number on each server; nothing if unknown. */
    public static String words(@Nullable List<ReachedSessions> all) {
        return all == null
                ? ""
                : all.stream()
                        .map(one -> one.sessions + " on " + one.server + (one.standby ? " (standby)" : ""))
                        .collect(Collectors.joining(", "));
    }
}
