package io.pgstress.probe.waits;

import io.pgstress.measure.OperationAt.RunningOperation;
import io.pgstress.measure.Timeline;
import io.pgstress.probe.server.ServerList.ObservedServer;
import io.pgstress.probe.waits.SessionQuery.Blocking;
import io.pgstress.probe.waits.SessionQuery.Session;
import io.pgstress.result.OperationWaits;
import io.pgstress.result.OperationWaits.Blocker;
import io.pgstress.verdict.SlowOperations;
import io.pgstress.verdict.SlowOperations.Hit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The samples of a server's sessions, joined with the operations in which they were taken. Not thread-safe. */
final class OperationSamples {
    /** Memory for samples within operations; beyond it, every second sample is dropped. */
    private static final int MAX_HITS = 200_000;

    /** A burst of WAL writes at least this many times the median rate between samples, and {@link #MIN_BURST} bytes per second. */
    private static final double BURST_OF_MEDIAN = 3;

    private static final double MIN_BURST = 10e6;

    /** A sample within an operation. */
    private record Joined(
            SessionSample sample,
            RunningOperation running,
            String place,
            String waits,
            int query,
            @Nullable Integer head,
            int chain) {}

    private final Timeline timeline;
    private final int node;
    private final String server;
    private final String place;
    private final boolean works;
    private final String withoutEvent;
    private final Set<String> ofNodes;
    private final StatementOperations known = new StatementOperations();
    private List<Joined> all = new ArrayList<>();
    private long every = 1;

    /**
     * @param node number of the node whose clients have their sessions on the server; -1 if there is none
     * @param works whether sessions of the server may work for clients of other servers
     * @param withoutEvent what a client's session without a wait event does
     * @param ofNodes the types of events for which sessions wait while they wait for other nodes of their cluster
     */
    OperationSamples(
            Timeline timeline,
            ObservedServer server,
            int node,
            boolean works,
            String withoutEvent,
            Set<String> ofNodes) {
        this.timeline = timeline;
        this.node = node;
        this.server = server.name();
        this.place = server.role() + " " + server.name();
        this.works = works;
        this.withoutEvent = withoutEvent;
        this.ofNodes = ofNodes;
    }

    /**
     * Joins a sample with a client's operation.
     *
     * @param number that of the client's session among all servers; null if unknown
     */
    void join(SessionSample sample, SampledClient client, RunningOperation running, @Nullable Long number) {
        List<Integer> workers = number == null ? List.of() : sample.workers(number);
        boolean isOwn = client.recorder.node() == node;
        if (!sample.blocking.isEmpty()) {
            workers.forEach(pid -> sample.operations.put(pid, running.operation()));
            if (isOwn) {
                sample.operations.put(running.session(), running.operation());
            }
        }
        if (running.isCounted() && running.start() >= sample.measureStart && sample.number % every == 0) {
            if (isOwn && !sample.isOfEarlier(running)) {
                all.add(ofSession(sample, running));
            }
            if (works) {
                all.add(ofWorkers(sample, running, workers));
            }
            if (all.size() > MAX_HITS) {
                every *= 2;
                all = new ArrayList<>(all.stream()
                        .filter(joined -> joined.sample.number % every == 0)
                        .toList());
            }
        }
    }

    private Joined ofSession(SessionSample sample, RunningOperation running) {
        Session session = sample.session(running.session());
        if (sample.time.nanos() < running.connected()) {
            return new Joined(sample, running, "", OperationWaits.CONNECTION, 0, null, 0);
        }
        if (session == null) {
            return new Joined(sample, running, "", OperationWaits.NOT_SAMPLED, 0, null, 0);
        }
        if (session.query() != 0 && running.start() <= sample.time.begun() && sample.time.ended() <= running.end()) {
            known.learn(session.query(), running.operation());
        }
        return withBlocker(
                sample,
                running,
                "",
                running.session(),
                session.waitsForNodes(ofNodes)
                        ? OperationWaits.WORKERS
                        : session.event() == null
                                ? withoutEvent
                                : SlowOperations.waits(session.type(), session.event()),
                session.query());
    }

    /** The sample of a server whose sessions may work for the client's: of several sessions, one that waits. */
    private Joined ofWorkers(SessionSample sample, RunningOperation running, List<Integer> workers) {
        Map<Integer, Session> sessions = sample.sessions();
        return workers.stream()
                .filter(pid -> Objects.requireNonNull(sessions.get(pid)).works())
                .max(Comparator.comparing(
                        pid -> Objects.requireNonNull(sessions.get(pid)).event() != null))
                .map(pid -> {
                    Session session = Objects.requireNonNull(sessions.get(pid));
                    return withBlocker(
                            sample, running, place, pid, SlowOperations.waits(session.type(), session.event()), 0);
                })
                .orElseGet(() -> new Joined(sample, running, place, OperationWaits.ELSEWHERE, 0, null, 0));
    }

    private static Joined withBlocker(
            SessionSample sample, RunningOperation running, String place, int pid, String waits, int query) {
        int head = pid;
        int chain = 0;
        for (List<Integer> next = sample.blockers(pid);
                !next.isEmpty() && chain < SessionSample.MAX_CHAIN;
                next = sample.blockers(head)) {
            head = next.get(0);
            chain++;
        }
        return new Joined(sample, running, place, waits, query, chain == 0 ? null : Integer.valueOf(head), chain);
    }

    /** The samples in operations whose statements they may have running. */
    List<Hit> hits() {
        markBursts(all.stream().map(Joined::sample).distinct().toList());
        return all.stream().filter(this::isOfItsOperation).map(this::hit).toList();
    }

    private static void markBursts(List<SessionSample> samples) {
        double[] rates = samples.stream()
                .mapToDouble(sample -> sample.walPerSecond)
                .sorted()
                .toArray();
        double least = rates.length == 0 ? 0 : Math.max(MIN_BURST, BURST_OF_MEDIAN * rates[rates.length / 2]);
        samples.stream()
                .filter(sample -> sample.walPerSecond >= least)
                .forEach(sample -> sample.during.add("WAL burst"));
    }

    /** Whether the session ran a statement of the operation: the time at which the server looked is not exact. */
    private boolean isOfItsOperation(Joined joined) {
        return joined.query == 0 || known.mayRun(joined.query, joined.running.operation());
    }

    private Hit hit(Joined joined) {
        RunningOperation running = joined.running;
        SessionSample.Time time = joined.sample.time;
        return new Hit(
                time.seconds(),
                running,
                time.seconds() + (running.start() - time.nanos()) / 1e9,
                Math.max(0, Math.min(running.end(), time.ended()) - Math.max(running.start(), time.begun())),
                joined.sample.weight() / 1e9,
                server,
                joined.place,
                joined.waits,
                joined.sample.during,
                joined.head == null ? null : blocker(joined.sample, joined.head, running, joined.chain));
    }

    private Blocker blocker(SessionSample sample, int head, RunningOperation running, int chain) {
        Blocking found = sample.blocking.getOrDefault(head, Blocking.PREPARED_OR_GONE);
        Integer operation = sample.operations.get(head);
        return new Blocker(
                operationName(running.operation()),
                operation == null ? found.kind(head) : Blocker.Kind.RUN,
                operation == null ? found.name(head) : operationName(operation),
                found.oneLine(),
                found.state(),
                1,
                chain);
    }

    private String operationName(int operation) {
        return timeline.shapes().get(operation).name();
    }

    /** The operations that run a statement, learned from those that lasted for a whole sample. Not thread-safe. */
    static final class StatementOperations {
        /** With literals in their text, there are as many statements as operations. */
        static final int MAX = 10_000;

        private final Map<Integer, Set<Integer>> operations = new HashMap<>();

        void learn(int statement, int operation) {
            if (operations.size() < MAX || operations.containsKey(statement)) {
                operations.computeIfAbsent(statement, s -> new HashSet<>()).add(operation);
            }
        }

        /** Whether the operation is known to run the statement, or none is. */
        boolean mayRun(int statement, int operation) {
            Set<Integer> known = operations.get(statement);
            return known == null || known.contains(operation);
        }

        int size() {
            return operations.size();
        }
    }
}
