package io.pgstress.probe.waits;

import io.pgstress.measure.ClientRecorder;
import io.pgstress.measure.OperationAt.RunningOperation;
import io.pgstress.measure.Timeline;
import io.pgstress.probe.server.CounterScope;
import io.pgstress.probe.server.Notes;
import io.pgstress.probe.server.ServerLink;
import io.pgstress.probe.server.ServerList.ObservedServer;
import io.pgstress.probe.server.ServerPart;
import io.pgstress.result.OperationWaits;
import io.pgstress.result.RemarkCode;
import io.pgstress.runner.Findings;
import io.pgstress.runner.RunContext;
import io.pgstress.target.Node;
import io.pgstress.target.ServerAccess.Between;
import io.pgstress.target.dialect.Dialect;
import io.pgstress.target.dialect.Dialect.SessionNumbers;
import io.pgstress.target.driver.ControlSql;
import io.pgstress.target.driver.ServerErrors;
import io.pgstress.target.loop.Daemons;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Samples what the load's sessions wait for on a server, on a thread and a control connection of its own. Each sample asks every
 * client which operation it was in at that moment ({@link io.pgstress.measure.OperationAt}), so that samples are joined with operations whose duration is
 * known. Sessions of a cluster's other servers that work for a client's session are samples of its operations, too.
 * Pace: as fast as {@link Pace} permits. Any thread may call it.
 */
public final class WaitSamples implements ServerPart {
    /**
     * What the samples of all servers of a run share, and the lock of it all: a client has one open question at a time, which is that
     * of the server that asked last.
     */
    public static final class Questions {
        private final Map<ClientRecorder, SampledClient> clients = new HashMap<>();

        /** What makes a process of a node a session's number among all servers, by node. */
        private final Map<Integer, Long> offsets = new HashMap<>();

        /** The numbers of sessions in the latest samples of nodes without an offset, by node. */
        private final Map<Integer, Deque<Numbers>> latest = new HashMap<>();

        /** @param byProcess the numbers of clients' sessions */
        private record Numbers(long nanos, Map<Integer, Long> byProcess) {}

        void sampled(int node, long nanos, Map<Integer, Long> byProcess) {
            Deque<Numbers> ofNode = latest.computeIfAbsent(node, n -> new ArrayDeque<>());
            ofNode.add(new Numbers(nanos, byProcess));
            if (ofNode.size() > MAX_NUMBERS) {
                ofNode.removeFirst();
            }
        }

        /** The number that a client's session had in an operation, as close to this time as known; null if unknown. */
        @Nullable
        Long number(int node, RunningOperation running, long nanos) {
            Long offset = offsets.get(node);
            return offset != null
                    ? Long.valueOf(offset + running.session())
                    : latest.getOrDefault(node, new ArrayDeque<>()).stream()
                            .filter(numbers ->
                                    running.contains(numbers.nanos) && numbers.byProcess.containsKey(running.session()))
                            .min(Comparator.comparingLong(numbers -> Math.abs(numbers.nanos - nanos)))
                            .map(numbers -> numbers.byProcess.get(running.session()))
                            .orElse(null);
        }
    }

    /** Samples of which a node's numbers are kept. */
    private static final int MAX_NUMBERS = 100;

    private final RunContext run;
    private final ObservedServer server;
    private final ServerLink link;
    private final Questions questions;
    private final @Nullable SessionNumbers numbers;
    private final int node;
    private final Pace pace = new Pace();
    private final ServerClock clock = new ServerClock();
    private final Map<String, Double> waitSeconds = new TreeMap<>();
    private final List<SampledClient> clients = new ArrayList<>();
    private final String withoutEvent;
    private final Set<String> ofNodes;
    private final OperationSamples joined;

    private @Nullable SessionSample last;
    private long sessionSamples;
    private @Nullable SessionQuery query;
    private @Nullable CounterScope scope;
    private long taken;
    private @Nullable Thread thread;
    private volatile boolean isOver;

    /** @param notes receives what could not be read */
    public WaitSamples(RunContext run, ObservedServer server, Notes notes, Questions questions) {
        this.run = run;
        this.server = server;
        this.link = new ServerLink(server, notes);
        this.questions = questions;
        this.numbers = run.target().dialect().sessionNumbers();
        this.ofNodes = numbers == null ? Set.of() : numbers.waits();
        this.node = joinedNode();
        this.withoutEvent = withoutEvent(run.target().dialect(), server.node() != null);
        this.joined = new OperationSamples(run.timeline(), server, node, works(), withoutEvent, ofNodes);
    }

    /** Begins at the start of the load: the pace is known when the measurement begins. */
    @Override
    public void begin() {
        synchronized (questions) {
            if (thread == null && !isOver) {
                run.recorders().stream()
                        .filter(recorder -> recorder.node() == node || works())
                        .map(recorder -> questions.clients.computeIfAbsent(recorder, SampledClient::new))
                        .forEach(clients::add);
                thread = Daemons.start("wait-samples", this::work);
            }
        }
    }

    /** What a session of the load without a wait event does. */
    static String withoutEvent(Dialect dialect, boolean takesClients) {
        return takesClients && !dialect.showsWaitsForNodes() ? OperationWaits.DATANODES_OR_CPU : OperationWaits.CPU;
    }

    /** Whether sessions of the server may work for clients of other servers. */
    private boolean works() {
        return numbers != null && server.holdsData();
    }

    /** The number of the node whose sessions are on this server and can be told apart; -1 if there is none. */
    private int joinedNode() {
        Node node = server.node();
        boolean isOwn = node != null
                && !node.access().hasSeveralServers()
                && (node.access().between() == Between.NOTHING || node.access().between() == Between.PROXY);
        return isOwn ? run.target().nodes().indexOf(node) : -1;
    }

    private void work() {
        while (!isOver) {
            long start = System.nanoTime();
            boolean isRefused = false;
            if (!run.signals().pause().isRunning()) {
                try {
                    take(query());
                } catch (SQLException e) {
                    pace.failed();
                    if (!isOver) {
                        isRefused = ServerErrors.sessionIsAlive(e);
                        link.failed("wait events", e);
                    }
                }
            }
            if (isRefused) {
                return;
            }
            LockSupport.parkNanos(start + pace.nanos() - System.nanoTime());
        }
    }

    private SessionQuery query() throws SQLException {
        Connection control = link.open();
        SessionQuery known = query;
        if (known == null || known.control() != control) {
            String ofProcess = numbers == null ? null : numbers.offset();
            if (ofProcess != null && node >= 0) {
                long offset = ControlSql.number(control, ofProcess);
                synchronized (questions) {
                    questions.offsets.put(node, offset);
                }
            }
            CounterScope found = CounterScope.of(control);
            synchronized (questions) {
                scope = found;
            }
            known = new SessionQuery(
                    control, numbers, server.node() == null || !server.node().sharesSessions());
            query = known;
        }
        return known;
    }

    /**
     * Takes a sample. The server's time, which its rows have, is compared with the clock of the clients: on a busy machine, the server
     * may look at any time during the query.
     */
    private void take(SessionQuery query) throws SQLException {
        Timeline timeline = run.timeline();
        long start = System.nanoTime();
        synchronized (questions) {
            clients.forEach(client -> client.ask(start));
        }
        long measureStart = timeline.measureStart();
        long number = taken++;
        long begun = System.nanoTime();
        SessionQuery.Sessions found = query.sessions();
        long ended = System.nanoTime();
        long nanos = clock.local(found.serverSeconds(), start, ended);
        double seconds = (timeline.sinceStart(nanos) - (measureStart - timeline.origin())) / 1e9;
        SessionSample sample = new SessionSample(
                this::join,
                number,
                measureStart,
                new SessionSample.Time(begun, ended, nanos, clock.errorNanos(), found.serverSeconds(), seconds),
                found,
                last);
        long due = pace.nanos();
        sample.readBlocking(query);
        pace.took(System.nanoTime() - start, query.control());
        add(sample, due, found);
    }

    /** @param due nanoseconds from the last sample to this one, as planned */
    private void add(SessionSample sample, long due, SessionQuery.Sessions found) {
        long nanos = sample.time.nanos();
        if (found.own().stream().anyMatch(SessionQuery.Session::isUntracked)) {
            link.noteOfNode(RemarkCode.ACTIVITIES_UNTRACKED
                    .with("servers", server.name())
                    .remark());
        }
        synchronized (questions) {
            if (last != null) {
                sample.follow(last, due);
                last.addTo(waitSeconds);
            }
            last = sample;
        }
        if (nanos < sample.measureStart || nanos >= run.timeline().measureEnd()) {
            return;
        }
        synchronized (questions) {
            sessionSamples += found.own().size();
            sample.inTotals = found.own().stream()
                    .collect(Collectors.groupingBy(
                            session -> session.inTotals(withoutEvent, ofNodes), Collectors.counting()));
            if (node >= 0 && !found.numbers().isEmpty()) {
                questions.sampled(node, nanos, found.numbers());
            }
            sample.asked(clients.size());
            clients.forEach(client -> client.add(sample, SampledClient.MAX_OPEN_SESSIONS / clients.size()));
        }
    }

    private void join(SessionSample sample, SampledClient client, RunningOperation running) {
        joined.join(sample, client, running, questions.number(client.recorder.node(), running, sample.time.nanos()));
    }

    @Override
    public void end() {
        isOver = true;
    }

    @Override
    public void contribute(Findings findings) {
        isOver = true;
        synchronized (questions) {
            if (last != null) {
                last.isLast(pace.nanos());
                last.addTo(waitSeconds);
                last = null;
            }
            if (scope != null && findings.counts().isNew("wait events", scope.ofDatabase())) {
                findings.counts().waitSamples += sessionSamples;
                waitSeconds.forEach(
                        (event, seconds) -> findings.counts().waitEventSeconds.merge(event, seconds, Double::sum));
            }
            clients.forEach(SampledClient::resolve);
            if (!clients.isEmpty()) {
                findings.sampled(joined.hits(), pace.sampling(taken));
            }
        }
    }

    @Override
    public void close() {
        isOver = true;
        link.drop();
    }
}
