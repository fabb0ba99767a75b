package io.pgstress.result;

import java.util.Collection;
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
 * @param firstAtSeconds when the first of them was opened, since the start of the measurement; null: before the load
 * @param predecessor the server whose sessions it took over, which none has reached since; null: none
 */
public record ReachedSessions(
        String server,
        String startedAt,
        @Nullable String systemIdentifier,
        boolean standby,
        long sessions,
        @Nullable Double firstAtSeconds,
        @Nullable String predecessor) {

    /** The sessions of several hosts together; null if they are unknown on all. */
    public static @Nullable List<ReachedSessions> together(
            Collection<? extends @Nullable List<ReachedSessions>> parts) {
        Map<ReachedSessions, ReachedSessions> byServer = new LinkedHashMap<>();
        parts.stream()
                .filter(Objects::nonNull)
                .flatMap(List::stream)
                .forEach(part -> byServer.merge(part.with(0, null, null), part, ReachedSessions::plus));
        return byServer.isEmpty() ? null : List.copyOf(byServer.values());
    }

    private ReachedSessions with(long others, @Nullable Double first, @Nullable String before) {
        return new ReachedSessions(server, startedAt, systemIdentifier, standby, others, first, before);
    }

    /** With those of another host, on which the server may have taken over the sessions as well. */
    private ReachedSessions plus(ReachedSessions other) {
        Double own = firstAtSeconds;
        Double others = other.firstAtSeconds;
        return with(
                sessions + other.sessions,
                own == null || others == null ? null : Double.valueOf(Math.min(own, others)),
                predecessor == null ? other.predecessor : predecessor);
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
