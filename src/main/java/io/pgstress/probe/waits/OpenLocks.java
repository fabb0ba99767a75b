package io.pgstress.probe.waits;

import io.pgstress.probe.server.ServerList.ObservedServer;
import io.pgstress.probe.waits.SessionQuery.Blocking;
import io.pgstress.probe.waits.SessionQuery.Session;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.target.dialect.Dialect.SessionNumbers;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The locks of one server that the run's sessions, or those of a cluster that work for them, wait for when operations do not end. Two nodes
 * of a cluster whose sessions wait for each other are a deadlock that none of them sees.
 */
public final class OpenLocks {
    private OpenLocks() {}

    /**
     * The remark on them; empty if no session waits for a lock there.
     *
     * @param numbers which sessions work for the run's; null: none
     */
    public static Optional<Remark> remark(Connection control, @Nullable SessionNumbers numbers, ObservedServer server)
            throws SQLException {
        SessionQuery query = new SessionQuery(control, numbers, false);
        Map<Integer, Session> waiting = query.sessions().sessions().entrySet().stream()
                .filter(e -> e.getValue().waitsForLock())
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
        if (waiting.isEmpty()) {
            return Optional.empty();
        }
        Integer holder = head(mostBlocking(waiting), waiting);
        int one = waiting.entrySet().stream()
                .filter(e -> holder == null || e.getValue().blockers().contains(holder))
                .mapToInt(Map.Entry::getKey)
                .min()
                .orElseThrow();
        Session waits = Objects.requireNonNull(waiting.get(one));
        Map<Integer, Blocking> named = holder == null ? Map.of() : query.blocking(Set.of(holder, one), 2);
        Blocking holding = holder == null ? null : named.get(holder);
        return Optional.of(RemarkCode.OPEN_LOCKS
                .with("sessions", waiting.size())
                .with("server", server.url() == null ? server.role() + " " + server.name() : server.name())
                .with("lock", waits.type() + ":" + waits.event())
                .with("waiting", statement(named.get(one)))
                .with("holder", holding == null || holder == null ? null : holding.words(holder))
                .with("holding", statement(holding))
                .remark());
    }

    /** The session that most others wait for; null if unknown. */
    private static @Nullable Integer mostBlocking(Map<Integer, Session> waiting) {
        return waiting.values().stream()
                .flatMap(session -> Set.copyOf(session.blockers()).stream())
                .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()))
                .entrySet()
                .stream()
                .max(Map.Entry.<Integer, Long>comparingByValue()
                        .thenComparing(Map.Entry.comparingByKey(Comparator.reverseOrder())))
                .map(Map.Entry::getKey)
                .orElse(null);
    }

    /** The session that a session waits for in the end, as one in a queue for a row waits for the queue's first; itself if it does not wait. */
    private static @Nullable Integer head(@Nullable Integer session, Map<Integer, Session> waiting) {
        Integer head = session;
        Set<Integer> seen = new HashSet<>();
        while (head != null && seen.add(head)) {
            Session waits = waiting.get(head);
            if (waits == null || waits.blockers().isEmpty()) {
                return head;
            }
            head = waits.blockers().get(0);
        }
        return head;
    }

    private static @Nullable String statement(@Nullable Blocking session) {
        String statement = session == null ? "" : session.oneLine();
        return statement.isEmpty() ? null : statement;
    }
}
