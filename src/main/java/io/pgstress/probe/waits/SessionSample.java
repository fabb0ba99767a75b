package io.pgstress.probe.waits;

import io.pgstress.measure.OperationAt.RunningOperation;
import io.pgstress.probe.waits.SessionQuery.Blocking;
import io.pgstress.probe.waits.SessionQuery.Session;
import io.pgstress.probe.waits.SessionQuery.Sessions;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A sample of all sessions of a server. Its sessions are forgotten when all clients have answered. Not thread-safe. */
final class SessionSample {
    static final int MAX_CHAIN = 10;
    private static final int MAX_BLOCKERS = 20;

    /** Receives the operation of a client in which a sample was taken. */
    interface Receiver {
        void join(SessionSample sample, SampledClient client, RunningOperation running);
    }

    /**
     * When a sample was taken.
     *
     * @param begun when the query was sent, on the clients' clock
     * @param ended when it was answered
     * @param nanos when the server looked, on the clients' clock
     * @param errorNanos how exactly that is known
     * @param serverSeconds when the server looked, on its clock
     * @param seconds since the start of the measurement, pauses excluded
     */
    record Time(long begun, long ended, long nanos, double errorNanos, double serverSeconds, double seconds) {}

    final long number;
    final long measureStart;
    final Time time;
    final double walBytes;

    /** Since the sample before. */
    final double walPerSecond;

    /** What else the server did. */
    final Set<String> during;

    /** Sessions that others wait for. */
    final Map<Integer, Blocking> blocking = new HashMap<>();

    /** The sessions of clients by what they did, as the server's totals name it; empty outside of the measurement. */
    Map<String, Long> inTotals = Map.of();

    /**
     * The time for which it stands, in nanoseconds: to the middle between it and the samples before and after it. Samples of many sessions that
     * wait for locks cost more, so that fewer of them are taken.
     */
    private long weight;

    /** Operations of sessions, as far as known. */
    final Map<Integer, Integer> operations = new HashMap<>();

    private final Receiver receiver;
    private Map<Integer, Session> sessions;
    private Map<Long, List<Integer>> workers;
    private int open;

    /**
     * @param measureStart start of the measurement when the sample began, on the clients' clock
     * @param last the sample before; null if there was none
     */
    SessionSample(
            Receiver receiver,
            long number,
            long measureStart,
            Time time,
            Sessions found,
            @Nullable SessionSample last) {
        this.receiver = receiver;
        this.number = number;
        this.measureStart = measureStart;
        this.time = time;
        this.walBytes = found.walBytes();
        this.walPerSecond = last == null || last.walBytes <= 0
                ? 0
                : (walBytes - last.walBytes) / Math.max(1, time.nanos - last.time.nanos) * 1e9;
        this.during = new TreeSet<>(found.beside());
        this.sessions = found.sessions();
        this.workers = found.workers();
    }

    /**
     * Shares the time since the sample before among both. A server that could not be sampled when the next sample was due did something
     * that neither shows.
     *
     * @param due nanoseconds after the sample before
     */
    void follow(SessionSample before, long due) {
        long half = Math.max(0, Math.min((time.nanos - before.time.nanos) / 2, due));
        before.weight += half;
        weight += half;
    }

    /** No sample follows it. */
    void isLast(long due) {
        weight += due / 2;
    }

    /** At least 1. */
    long weight() {
        return Math.max(1, weight);
    }

    /** Adds the time that clients' sessions spent so, in seconds. */
    void addTo(Map<String, Double> waitSeconds) {
        inTotals.forEach((event, sessions) -> waitSeconds.merge(event, sessions * weight() / 1e9, Double::sum));
    }

    /** Asks for the sessions that others wait for, which may wait themselves. */
    void readBlocking(SessionQuery query) throws SQLException {
        for (int depth = 0; depth < MAX_CHAIN; depth++) {
            Set<Integer> unknown = new HashSet<>();
            sessions.values().forEach(session -> unknown.addAll(session.blockers()));
            blocking.values().forEach(found -> unknown.addAll(found.session().blockers()));
            unknown.removeAll(blocking.keySet());
            if (unknown.isEmpty() || blocking.size() >= MAX_BLOCKERS) {
                return;
            }
            blocking.putAll(query.blocking(unknown, MAX_BLOCKERS));
        }
    }

    /** The session of a process; null if there was none, or it is forgotten. */
    @Nullable
    Session session(int pid) {
        return sessions.get(pid);
    }

    /** The sessions by process. */
    Map<Integer, Session> sessions() {
        return sessions;
    }

    /** The processes that work for a client's session, by its number among all servers. */
    List<Integer> workers(long client) {
        return workers.getOrDefault(client, List.of());
    }

    /** The processes that a process waits for. */
    List<Integer> blockers(int pid) {
        Session own = sessions.get(pid);
        Blocking other = blocking.get(pid);
        return own != null
                ? own.blockers()
                : other == null ? List.of() : other.session().blockers();
    }

    /** Whether the session surely ran a statement that began before the operation had its connection: that of an earlier one. */
    boolean isOfEarlier(RunningOperation running) {
        Session session = sessions.get(running.session());
        return session != null
                && session.hasBegun()
                && time.nanos >= running.connected()
                && time.nanos - (time.serverSeconds - session.began()) * 1e9 + time.errorNanos < running.connected();
    }

    /** Says how many clients are asked. */
    void asked(int clients) {
        open = clients;
    }

    /** Joins it with the operation in which a client was. */
    void join(SampledClient client, RunningOperation running) {
        receiver.join(this, client, running);
    }

    /** Says that a client has answered or is not asked any more. */
    void answered() {
        if (--open == 0) {
            sessions = Map.of();
            workers = Map.of();
        }
    }
}
