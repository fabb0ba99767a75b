package io.pgstress.runner;

import io.pgstress.dataset.SplitMix;
import io.pgstress.measure.ClientRecorder;
import io.pgstress.measure.LatencyHistogram;
import io.pgstress.measure.Spans;
import io.pgstress.operation.ClientOperation;
import io.pgstress.operation.Operation;
import io.pgstress.plan.RunOptions;
import io.pgstress.plan.RunSpec;
import io.pgstress.plan.StatementMode;
import io.pgstress.probe.CollectorPauses;
import io.pgstress.probe.Steal;
import io.pgstress.target.Node;
import io.pgstress.target.driver.TargetException;
import io.pgstress.target.pool.ConnectionPool;
import io.pgstress.target.pool.Pools;
import io.pgstress.target.statement.SqlSession;
import io.pgstress.verdict.ClientTurns;
import io.pgstress.verdict.Suspect;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** All clients of a run with their threads and pools. Belongs to the run's thread. */
final class Clients implements AutoCloseable {
    private static final long LAST_WORD_MILLIS = 2_000;
    private static final long HASTE_MILLIS = 200;

    /** How long no client may get connected before the run is given up. */
    private static final Duration MAX_WITHOUT_ANY = Duration.ofSeconds(30);

    private final RunSpec spec;
    private final Preparation preparation;
    private final Client.Shared shared;
    private final List<Node> nodes;
    private final List<ConnectionPool> pools = new ArrayList<>();
    private final List<Client> clients = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private @Nullable Canary canary;
    private @Nullable Threads factory;
    private long @Nullable [] turnWaitsBefore;
    private long @Nullable [] turnWaits;
    private final CollectorPauses collector;
    private final Steal steal;
    private boolean arePoolsClosed;
    private boolean areFilling;

    Clients(RunSpec spec, Preparation preparation, Client.Shared shared, List<Node> nodes) {
        this.spec = spec;
        this.preparation = preparation;
        this.shared = shared;
        this.nodes = List.copyOf(nodes);
        this.collector = new CollectorPauses(shared.timeline()::sinceStart);
        this.steal = new Steal(shared.timeline()::sinceStart);
        int number = 0;
        int all = nodes.stream().mapToInt(Node::clients).sum();
        for (int n = 0; n < nodes.size(); n++) {
            ConnectionPool pool = open(nodes.get(n));
            pools.add(pool);
            for (int i = 0; i < nodes.get(n).clients(); i++) {
                clients.add(client(pool, n, number++, all));
            }
        }
    }

    private ConnectionPool open(Node node) {
        try {
            return Pools.open(spec.pool(), node.clients(), node.connector());
        } catch (SQLException e) {
            close(); // nobody else has those of the nodes before
            throw new TargetException("the pool of " + node.url() + " did not open: " + e.getMessage(), e);
        }
    }

    private Client client(ConnectionPool pool, int node, int number, int all) {
        ClientRecorder recorder = new ClientRecorder(
                shared.timeline(), node, spec.failures().latencyLimit().toNanos());
        SqlSession session = new SqlSession(
                spec.statement(), preparation.statements(number), spec.get(RunOptions.FETCH_SIZE), recorder::statement);
        int count = preparation.operations().size();
        ClientOperation[] operations = new ClientOperation[count];
        int[] weights = new int[count];
        int[] commits = new int[count];
        for (int o = 0; o < count; o++) {
            operations[o] = preparation
                    .operations()
                    .get(o)
                    .forClient(new Operation.ClientSeat(o, session, number, all, spec.seed()));
            weights[o] = spec.mix().get(o).weight();
            commits[o] = preparation.statements().get(o).size();
        }
        OperationMix mix = new OperationMix(operations, weights, new SplitMix(spec.seed(), 1_000_000L + number));
        ClientSession clientSession = new ClientSession(
                pool,
                session,
                spec.get(RunOptions.TRANSACTION),
                recorder,
                commits,
                number == 0 && spec.statement() == StatementMode.PREPARED && !shared.sharesSessions());
        return new Client(
                shared, clientSession, recorder, mix, new RetryDelay(new SplitMix(spec.seed(), 2_000_000L + number)));
    }

    /**
     * How late threads like the clients' ran.
     *
     * @param operations that ended within the measurement
     * @param usualMicros their median time
     */
    ClientTurns turns(long operations, double usualMicros) {
        LatencyHistogram late = canary == null ? new LatencyHistogram() : canary.late();
        return ClientTurns.of(turnWaits, turnWaitsBefore, operations, late, usualMicros);
    }

    /** What of the client's own may have made operations wait. */
    List<Suspect> suspects() {
        long start = shared.timeline().measureStart() - shared.timeline().origin();
        List<Suspect> all = new ArrayList<>();
        add(all, Suspect.Kind.COLLECTOR, collector.spans(), start);
        add(all, Suspect.Kind.STEAL, steal.spans(), start);
        add(all, Suspect.Kind.CLIENT, canary == null ? List.of() : canary.pauses(), start);
        return all;
    }

    private static void add(List<Suspect> all, Suspect.Kind kind, List<Spans.Span> spans, long start) {
        spans.forEach(s -> all.add(new Suspect(kind, (s.from() - start) / 1e9, (s.to() - start) / 1e9)));
    }

    /** How the first client's session planned its statements; null where it does not tell. */
    @Nullable
    PlanCounts planCounts() {
        return clients.isEmpty() ? null : clients.get(0).planCounts();
    }

    /** Fills the pools, starts the threads and waits until every client is connected. */
    void start(Threads factory) throws InterruptedException {
        start(factory, MAX_WITHOUT_ANY);
    }

    /** @param most how long none may get connected */
    void start(Threads made, Duration most) throws InterruptedException {
        factory = made;
        areFilling = true;
        for (int n = 0; n < pools.size(); n++) {
            new PoolFill(pools.get(n), nodes.get(n)).await(shared.stop());
        }
        areFilling = false;
        for (Client client : clients) {
            Thread thread = made.newThread(client);
            threads.add(thread);
            thread.start();
        }
        try {
            canary = new Canary(made, made.schedulers(), shared.timeline()::sinceStart);
        } catch (IOException e) {
            throw new UncheckedIOException("no pipe could be opened", e);
        }
        new ConnectPhase(shared, clients, nodes).await(most);
        Throwable failure = failure();
        if (failure != null) {
            throw new TargetException("a client could not connect: " + failure.getMessage(), failure);
        }
    }

    /** Looks at the client's machine. */
    void sample(long now) {
        steal.sample(now);
    }

    /** What was before is not looked at any more. */
    void measureStarts() {
        turnWaitsBefore = factory == null ? null : factory.turnWaits();
        if (canary != null) {
            canary.measureStarts();
        }
    }

    /** Neither is what comes after. */
    void measureEnds() {
        turnWaits = factory == null ? null : factory.turnWaits();
        if (canary != null) {
            canary.close();
        }
    }

    List<Client> all() {
        return clients;
    }

    List<ConnectionPool> pools() {
        return pools;
    }

    /** Operations that are under way; any thread may ask once all clients are connected. */
    int inFlight() {
        return (int) clients.stream()
                .filter(c -> !c.hasEnded() && c.recorder().started() != 0)
                .count();
    }

    boolean haveAllEnded() {
        return clients.stream().allMatch(Client::hasEnded);
    }

    /** The first failure that ended a client, or null. */
    @Nullable
    Throwable failure() {
        return clients.stream()
                .filter(Client::hasEnded)
                .map(Client::failure)
                .filter(java.util.Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    /** Breaks off those that have not ended, and waits a little for their threads. */
    void breakOff() throws InterruptedException {
        breakOff(false);
    }

    /** @param inHaste whether to wait for a moment only, as the user has aborted the run */
    void breakOff(boolean inHaste) throws InterruptedException {
        Cancelling.cancel(
                clients.stream().filter(c -> !c.hasEnded()).toList(), inHaste ? HASTE_MILLIS : Cancelling.MAX_MILLIS);
        for (int i = 0; i < clients.size(); i++) {
            if (!clients.get(i).hasEnded()) {
                clients.get(i).abort();
                if (i < threads.size()) { // else it was never started
                    threads.get(i).interrupt();
                }
            }
        }
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(inHaste ? HASTE_MILLIS : LAST_WORD_MILLIS);
        for (Thread thread : threads) {
            thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime())));
        }
    }

    /** Ends the sessions that pools keep: servers count what an idle session did only some seconds later, or at its end. */
    void closePools() {
        if (!arePoolsClosed) {
            arePoolsClosed = true;
            if (areFilling) { // which a pool that is closed goes on to wait for
                PoolFill.inBackground(() -> pools.forEach(ConnectionPool::close), "pool-closing");
            } else {
                pools.forEach(ConnectionPool::close);
            }
        }
    }

    @Override
    public void close() {
        collector.close();
        if (canary != null) {
            canary.close();
        }
        closePools();
    }
}
