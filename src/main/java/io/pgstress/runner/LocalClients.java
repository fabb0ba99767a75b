package io.pgstress.runner;

import io.pgstress.dataset.SplitMix;
import io.pgstress.measure.ClientRecorder;
import io.pgstress.operation.ClientOperation;
import io.pgstress.operation.Operation;
import io.pgstress.plan.RunOptions;
import io.pgstress.plan.RunSpec;
import io.pgstress.plan.StatementMode;
import io.pgstress.result.NodeResult;
import io.pgstress.result.ReachedSessions;
import io.pgstress.target.Node;
import io.pgstress.target.driver.TargetException;
import io.pgstress.target.loop.LoadThreads;
import io.pgstress.target.statement.SqlSession;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The clients of this process, with their threads and pools. */
final class LocalClients implements Clients {
    private static final long END_MILLIS = 2_000;
    private static final long ABORT_MILLIS = 200;

    /** Allowed in addition for each session: all are closed at once, and the servers' processes have to end. */
    private static final long CLOSE_MILLIS = 5;

    /** The run is abandoned if no client connects for this long. */
    private static final Duration MAX_WITHOUT_ANY = Duration.ofSeconds(30);

    private final RunSpec spec;
    private final RunContext run;
    private final LoadThreads threads;
    private final ClientRules rules;
    private final List<Node> nodes;
    private final ClientPools pools;
    private final List<Client> clients = new ArrayList<>();
    private final ClientRamp ramp;
    private final CompilerShare compiler = new CompilerShare();
    private int started;
    private boolean isBrokenOff;

    LocalClients(RunContext run, LoadThreads threads) {
        this.run = run;
        this.spec = run.spec();
        this.threads = threads;
        this.nodes = run.target().nodes();
        this.pools = new ClientPools(spec.pool(), nodes);
        this.rules = new ClientRules(
                run.runOperations().canReset(),
                spec.get(RunOptions.TRANSACTION),
                spec.failures().maxTries(),
                spec.failures().stopOnError(),
                nodes.stream().anyMatch(Node::sharesSessions));
        this.ramp = ClientRamp.of(run.course(), spec.phases().warmup().toNanos(), nodes.size());
        int number = run.share().firstClient();
        int all = run.share().allClients();
        for (int n = 0; n < nodes.size(); n++) {
            for (int i = 0; i < nodes.get(n).clients(); i++) {
                clients.add(client(n, ramp.courseOf(i), number++, all));
            }
        }
    }

    private Client client(int node, Course course, int number, int all) {
        ClientRecorder recorder = new ClientRecorder(
                run.timeline(), node, spec.failures().latencyLimit().toNanos());
        SqlSession session = new SqlSession(
                spec.statement(),
                run.runOperations().statements(number),
                spec.get(RunOptions.FETCH_SIZE),
                recorder::statement);
        int count = run.operations().size();
        ClientOperation[] operations = new ClientOperation[count];
        int[] weights = new int[count];
        int[] commits = new int[count];
        for (int o = 0; o < count; o++) {
            operations[o] =
                    run.operations().get(o).forClient(new Operation.ClientSeat(o, session, number, all, spec.seed()));
            weights[o] = spec.mix().get(o).weight();
            commits[o] = run.operations().get(o).statements(0).size();
        }
        OperationMix mix = new OperationMix(operations, weights, new SplitMix(spec.seed(), 1_000_000L + number));
        ClientSession clientSession = new ClientSession(
                pools.of(node),
                session,
                spec.get(RunOptions.TRANSACTION),
                recorder,
                commits,
                clients.isEmpty() && spec.statement() == StatementMode.PREPARED && !rules.sharesSessions());
        return new Client(
                course,
                rules,
                clientSession,
                recorder,
                mix,
                new RetryDelay(new SplitMix(spec.seed(), 2_000_000L + number)),
                threads);
    }

    @Override
    public int count() {
        return clients.size();
    }

    @Override
    public @Nullable PlanCounts planCounts() {
        return clients.isEmpty() ? null : clients.get(0).planCounts();
    }

    /** Fills the pools, starts the threads and waits until every client is connected. */
    @Override
    public void connect() throws InterruptedException {
        connect(MAX_WITHOUT_ANY);
    }

    /** @param limit maximum time without any client connecting */
    void connect(Duration limit) throws InterruptedException {
        pools.fill(run.course().stop());
        for (Client client : clients) {
            threads.newThread(client).start();
            started++;
        }
        new ConnectPhase(run.course(), clients, nodes).await(limit);
        Throwable failure = failure();
        if (failure != null) {
            throw new TargetException("a client could not connect: " + failure.getMessage(), failure);
        }
    }

    @Override
    public Map<String, Supplier<Map<String, Number>>> gauges() {
        return pools.gauges();
    }

    @Override
    public Map<String, String> poolSettings() {
        return pools.settings();
    }

    @Override
    public void start(long origin) throws InterruptedException {
        long left = origin - run.course().clock().nanoTime();
        if (left > 0) {
            TimeUnit.NANOSECONDS.sleep(left);
        }
        run.course().go().open();
    }

    @Override
    public boolean isRamping(long now) {
        return ramp.isRunning(now);
    }

    @Override
    public long okSoFar() {
        return clients.stream().mapToLong(c -> c.recorder().okSoFar()).sum();
    }

    @Override
    public double compilerShare() {
        return compiler.sinceLast();
    }

    @Override
    public boolean haveExecuted(int times) {
        return clients.stream()
                .allMatch(c -> IntStream.range(0, spec.mix().size())
                        .allMatch(operation -> c.recorder().endedSoFar(operation) >= times));
    }

    @Override
    public long backlog(long nanos) {
        Schedule schedule = run.course().schedule();
        return schedule == null ? 0 : schedule.backlog(nanos);
    }

    @Override
    public int countUnfinished() {
        return new Unfinished(
                        spec,
                        run.timeline(),
                        run.course().schedule(),
                        run.course().clock())
                .count(clients);
    }

    @Override
    public long calls(int node, int operation, int statement) {
        return clients.stream()
                .filter(c -> c.recorder().node() == node)
                .mapToLong(c -> c.recorder().calls(operation, statement))
                .sum();
    }

    @Override
    public NodeResult.@Nullable ClientOperations operations(int node) {
        return NodeResult.ClientOperations.of(clients.stream()
                .filter(c -> c.recorder().node() == node)
                .mapToLong(c -> c.recorder().okMeasured())
                .toArray());
    }

    @Override
    public @Nullable List<ReachedSessions> reached(int node) {
        return pools.reached(node);
    }

    @Override
    public boolean areComplete() {
        return true;
    }

    @Override
    public long dropped() {
        Schedule schedule = run.course().schedule();
        return schedule == null ? 0 : schedule.dropped();
    }

    @Override
    public long begunLate() {
        Schedule schedule = run.course().schedule();
        return schedule == null ? 0 : schedule.begunLate();
    }

    @Override
    public int inFlight() {
        return (int) clients.stream()
                .filter(c -> !c.hasEnded() && c.recorder().started() != 0)
                .count();
    }

    @Override
    public boolean haveAllEnded() {
        return clients.stream().allMatch(Client::hasEnded);
    }

    /** The first failure that ended a client, or null. */
    @Nullable
    Throwable failure() {
        return clients.stream()
                .filter(Client::hasEnded)
                .map(Client::failure)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    @Override
    public void breakOff(boolean isAborted) throws InterruptedException {
        ramp.end();
        run.course().exit().open();
        Cancelling.breakOff(clients, isAborted ? ABORT_MILLIS : Cancelling.MAX_MILLIS);
        long wait = isAborted || isBrokenOff ? ABORT_MILLIS : END_MILLIS + CLOSE_MILLIS * started;
        isBrokenOff = true;
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(wait);
        for (Client client : clients.subList(0, started)) {
            client.awaitEnd(Math.max(1, TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime())));
        }
        close();
    }

    /** Closes pooled sessions: a server counts what an idle session did only seconds later, or when the session ends. */
    @Override
    public void close() {
        pools.close();
    }
}
