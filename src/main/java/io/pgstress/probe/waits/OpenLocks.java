package io.pgstress.probe.waits;

import io.pgstress.probe.server.ServerList.ObservedServer;
import io.pgstress.probe.waits.SessionQuery.Blocking;
import io.pgstress.probe.waits.SessionQuery.Session;
import io.pgstress.result.OperationWaits.Blocker.Kind;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.target.dialect.Dialect;
import io.pgstress.target.dialect.Dialect.SessionNumbers;
import io.pgstress.target.driver.ControlSql;
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
    /** The prepared transaction that holds what a process waits for; it has no process, and is known by the lock on its own number. */
    private static final String PREPARED = """
        select prepared.gid, prepared.prepared::timestamp(0)::text
        from pg_prepared_xacts prepared
        join pg_locks own on own.transactionid = prepared.transaction and own.pid is null and own.granted
        join pg_locks held on held.virtualtransaction = own.virtualtransaction and held.pid is null and held.granted
        join pg_locks waits on waits.pid = PROCESS and not waits.granted and waits.locktype = held.locktype
            and (waits.database, waits.relation, waits.page, waits.tuple, waits.virtualxid, waits.transactionid,
                 waits.classid, waits.objid, waits.objsubid)
            is not distinct from
                (held.database, held.relation, held.page, held.tuple, held.virtualxid, held.transactionid,
                 held.classid, held.objid, held.objsubid)
        order by prepared.prepared limit 1
        """;

    private OpenLocks() {}

    private record PreparedHolder(String gid, String since) {}

    /**
     * The remark on them; empty if no session waits for a lock there.
     *
     * @param dialect tells which sessions work for the run's
     */
    public static Optional<Remark> remark(Connection control, Dialect dialect, ObservedServer server)
            throws SQLException {
        SessionNumbers numbers = dialect.sessionNumbers();
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
        boolean isPrepared = holding != null && holder != null && holding.kind(holder) == Kind.PREPARED_TRANSACTION;
        Optional<PreparedHolder> prepared = isPrepared
                ? ControlSql.first(
                        control,
                        PREPARED.replace("PROCESS", Integer.toString(one)),
                        row -> new PreparedHolder(row.getString(1), row.getString(2)))
                : Optional.empty();
        return Optional.of(RemarkCode.OPEN_LOCKS
                .with("sessions", waiting.size())
                .with("server", server.url() == null ? server.role() + " " + server.name() : server.name())
                .with("lock", waits.type() + ":" + waits.event())
                .with("waiting", statement(named.get(one)))
                .with("holder", holding == null || holder == null ? null : holding.words(holder))
                .with("gid", prepared.map(PreparedHolder::gid).orElse(null))
                .with("since", prepared.map(PreparedHolder::since).orElse(null))
                .with("holding", statement(holding))
                .with("kind", isPrepared ? "prepared transaction" : "session")
                .with("end", isPrepared ? dialect.endOfPrepared() : null)
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
