package io.pgstress.runner;

import io.pgstress.dataset.SplitMix;
import io.pgstress.measure.ClientRecorder;
import io.pgstress.measure.IntervalData;
import io.pgstress.measure.Timeline;
import io.pgstress.operation.ClientOperation;
import io.pgstress.operation.Operation;
import io.pgstress.plan.RunLoadOptions;
import io.pgstress.plan.RunOptions;
import io.pgstress.plan.RunSpec;
import io.pgstress.plan.StatementMode;
import io.pgstress.plan.WeightedOperation;
import io.pgstress.result.NodeResult;
import io.pgstress.result.ReachedSessions;
import io.pgstress.runner.Client.ClientGroup;
import io.pgstress.runner.Client.ClientRules;
import io.pgstress.runner.Client.WeightedDraw;
import io.pgstress.runner.ClientSession.PlanCounts;
import io.pgstress.runner.CompilerTime.CompilerWork;
import io.pgstress.runner.Schedule.Arrivals;
import io.pgstress.target.Node;
import io.pgstress.target.driver.TargetException;
import io.pgstress.target.loop.Daemons;
import io.pgstress.target.loop.Gate;
import io.pgstress.target.loop.LoadThreads;
import io.pgstress.target.statement.ClientStatements;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The clients of this process, with their threads and pools. */
final class LocalClients implements Clients {
    /** The hosts of a fleet give up one that stands still for 3 s. */
    private static final long MAX_COLLECTED_BYTES = 1L << 30;

    private static final long END_MILLIS = 2_000;
    private static final long ABORT_MILLIS = 200;

    /** Allowed in addition for each session: all are closed at once, and the servers' processes have to end. */
    private static final long CLOSE_MILLIS = 5;

    /** The run is abandoned if no client connects for this long. */
    private static final Duration MAX_WITHOUT_ANY = Duration.ofSeconds(30);

    private static final long CANCEL_MILLIS = 1_000;
    private static final int CANCELLED_AT_ONCE = 8;
    private static final long LOOK_MILLIS = 100;

    /** Beyond this many, several operations share a recorded time, which is within a millionth of their own. */
    private static final double MAX_APART = 1e6;

    private final RunSpec spec;
    private final RunContext run;
    private final LoadThreads threads;
    private final ClientRules rules;
    private final long latencyLimit;
    private final List<Node> nodes;
    private final ClientPools pools;
    private final List<Client> clients = new ArrayList<>();
    private final ClientRamp ramp;
    private final CompilerWork compiler;
    private int started;
    private boolean isBrokenOff;

    LocalClients(RunContext run, LoadThreads threads) {
        this.run = run;
        this.spec = run.spec();
        this.threads = threads;
        this.latencyLimit = spec.failures().latencyLimit().toNanos();
        this.nodes = run.target().nodes();
        this.pools = new ClientPools(
                spec.pool(),
                nodes,
                () -> run.timeline().sinceLoad(run.signals().clock().nanoTime()));
        this.rules = new ClientRules(
                run.runOperations().canReset(),
                spec.get(RunOptions.TRANSACTION),
                spec.failures().maxTries(),
                spec.failures().stopOnError(),
                nodes.stream().anyMatch(Node::sharesSessions),
                spec.get(RunLoadOptions.THINK));
        this.compiler = new CompilerWork(run.signals().clock()::nanoTime);
        this.ramp = ClientRamp.of(run.signals(), spec.phases().warmup().toNanos(), nodes.size());
        int number = run.share().firstClient();
        int all = run.share().allClients();
        for (int n = 0; n < nodes.size(); n++) {
            for (int i = 0; i < nodes.get(n).clients(); i++) {
                clients.add(client(n, ramp.gateOf(i), number++, all));
            }
        }
    }

    private Client client(int node, Gate go, int number, int all) {
        ClientRecorder recorder = new ClientRecorder(run.timeline(), node, latencyLimit);
        ClientStatements session = new ClientStatements(
                spec.statement(),
                run.runOperations().statements(number),
                spec.get(RunOptions.FETCH_SIZE),
                recorder::statementEnded);
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
        ClientSession clientSession = new ClientSession(
                pools.of(node),
                session,
                spec.get(RunOptions.TRANSACTION),
                recorder,
                commits,
                clients.isEmpty() && spec.statement() == StatementMode.PREPARED && !rules.sharesSessions(),
                run.target().nodes().get(node).facts().nodeNames());
        recorder.logTo(run.logOf(number));
        run.recorders().add(recorder);
        return new Client(
                new ClientGroup(run.signals(), go, rules, threads),
                clientSession,
                recorder,
                operations,
                Client.Draws.of(spec.seed(), number, weights));
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
        pools.fill(run.signals().stop());
        for (Client client : clients) {
            threads.newThread(client).start();
            started++;
        }
        awaitConnected(limit);
        Throwable failure = failure();
        if (failure != null) {
            throw new TargetException("a client could not connect: " + failure.getMessage(), failure);
        }
    }

    /**
     * Waits for the clients to connect, however long it takes, as long as they continue to succeed one after the other. Gives up on a
     * server or pooler that accepts connections but does not answer.
     *
     * @param limit maximum time without any client connecting
     * @throws TargetException if no client connected for this long, or the run was stopped
     */
    private void awaitConnected(Duration limit) throws InterruptedException {
        RunSignals signals = run.signals();
        long missing = signals.ready().getCount();
        long since = System.nanoTime();
        while (!signals.ready().await(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
            long now = signals.ready().getCount();
            if (now < missing) {
                missing = now;
                since = System.nanoTime();
            }
            // read before the failures: a client sets its failure before it stops the others
            Stop.Reason reason = signals.stop().reason();
            boolean isFailed = clients.stream().anyMatch(c -> c.failure() != null);
            if (reason != null && !isFailed) {
                throw reason.before("while " + connected() + " were connected");
            }
            if (System.nanoTime() - since > limit.toNanos()) {
                if (isFailed) {
                    return; // the failure is more informative than a timeout
                }
                throw new TargetException(connected() + " are connected; the others wait for " + awaited()
                        + ", which has accepted none for " + limit.toSeconds()
                        + " s: is it, or a pooler in front of it, full or stalled?");
            }
        }
    }

    private String connected() {
        long connected = clients.stream().filter(Client::isConnected).count();
        return connected + " of " + clients.size() + " clients";
    }

    /** The servers that clients are waiting for. */
    private String awaited() {
        Set<String> urls = new LinkedHashSet<>();
        int number = 0;
        for (Node node : nodes) {
            for (int i = 0; i < node.clients(); i++) {
                if (!clients.get(number++).isConnected()) {
                    urls.add(node.url());
                }
            }
        }
        return String.join(" and ", urls);
    }

    @Override
    public Map<String, Supplier<Map<String, Number>>> gauges() {
        return pools.gauges();
    }

    @Override
    public Map<String, String> poolSettings() {
        return pools.settings();
    }

    /** It would copy all that was made so far, which took 26 ms on one core. */
    @Override
    public void collectGarbage() {
        Runtime jvm = Runtime.getRuntime();
        if (jvm.totalMemory() - jvm.freeMemory() < MAX_COLLECTED_BYTES) {
            System.gc();
        }
    }

    @Override
    public void start(long origin) throws InterruptedException {
        long left = origin - run.signals().clock().nanoTime();
        if (left > 0) {
            TimeUnit.NANOSECONDS.sleep(left);
        }
        run.signals().go().open();
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
    public boolean isCompiling() {
        return compiler.isNotableSinceLast();
    }

    @Override
    public boolean haveExecuted(int times) {
        return clients.stream()
                .allMatch(c -> IntStream.range(0, spec.mix().size())
                        .allMatch(operation -> c.recorder().endedSoFar(operation) >= times));
    }

    @Override
    public long backlog(long nanos) {
        Schedule schedule = run.signals().schedule();
        return schedule == null ? 0 : schedule.backlog(nanos);
    }

    /**
     * Counts operations not finished at the end of the drain: those in progress enter the percentiles with their time so far;
     * in an open loop also those due but never started, with the time since they were due.
     */
    @Override
    public Map<String, Integer> countUnfinished() {
        Timeline timeline = run.timeline();
        Schedule schedule = run.signals().schedule();
        long now = run.signals().clock().nanoTime();
        Map<String, Integer> hung = new TreeMap<>();
        for (Client client : clients) {
            long started = client.recorder().started();
            int operation = client.operation();
            long scheduled = client.scheduled();
            if (started == 0 || client.hasEnded() || !client.recorder().claim(started)) {
                continue;
            }
            if (scheduled >= timeline.measureStart() && scheduled < timeline.measureEnd()) {
                ClientRecorder recorder =
                        new ClientRecorder(timeline, client.recorder().node(), latencyLimit);
                recorder.resume(now);
                recorder.unfinished(client.recorder(), operation, schedule != null, scheduled, started, now);
            } else if (scheduled < timeline.measureStart()) {
                hung.merge(client.waitsFor(), 1, Integer::sum);
            }
        }
        if (schedule != null) {
            countNeverBegun(schedule, now);
        }
        return hung;
    }

    /** Spreads them over operations and nodes as the clients would have drawn them. */
    private void countNeverBegun(Schedule open, long now) {
        Timeline timeline = run.timeline();
        IntervalData drain = timeline.at(now);
        SplitMix random = new SplitMix(spec.seed(), -3);
        WeightedDraw operations = new WeightedDraw(
                spec.mix().stream().mapToInt(WeightedOperation::weight).toArray(), random);
        Arrivals measured = open.measured();
        double last = measured.placeAt(timeline.measureEnd() - open.measureStart());
        double place = measured.next();
        double step = Math.max(1, Math.ceil((last - place) / measured.stride() / MAX_APART));
        for (; open.measureStart() + measured.dueAt(place) < timeline.measureEnd(); place += step * measured.stride()) {
            long due = open.measureStart() + measured.dueAt(place);
            int node = clients.get(random.below(clients.size())).recorder().node();
            long count = (long) Math.min(step, Math.max(1, Math.ceil((last - place) / measured.stride())));
            open.late(count);
            drain.neverBegun(
                    node, operations.next(), now - due, count, latencyLimit == 0 ? Long.MAX_VALUE : latencyLimit);
        }
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
        Timeline timeline = run.timeline();
        return pools.reached(node, timeline.measureStart() - timeline.origin());
    }

    @Override
    public boolean areComplete() {
        return true;
    }

    @Override
    public long dropped() {
        Schedule schedule = run.signals().schedule();
        return schedule == null ? 0 : schedule.dropped();
    }

    @Override
    public long begunLate() {
        Schedule schedule = run.signals().schedule();
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
        run.signals().exit().open();
        List<Client> busy = clients.stream().filter(c -> !c.hasEnded()).toList();
        cancel(busy, isAborted ? ABORT_MILLIS : CANCEL_MILLIS);
        for (Client client : busy) {
            if (!client.hasEnded()) {
                client.abort();
                client.interrupt();
            }
        }
        long wait = isAborted || isBrokenOff ? ABORT_MILLIS : END_MILLIS + CLOSE_MILLIS * started;
        isBrokenOff = true;
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(wait);
        for (Client client : clients.subList(0, started)) {
            client.awaitEnd(Math.max(1, TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime())));
        }
        close();
    }

    /**
     * Asks the servers to cancel clients' statements. A server notices a closed socket only when it sends something, and keeps
     * its locks until then. A server that does not accept the request in time is ignored.
     *
     * @param maxMillis maximum time for the servers; requests in progress continue after it
     */
    private static void cancel(List<Client> busy, long maxMillis) throws InterruptedException {
        if (busy.isEmpty()) {
            return;
        }
        ExecutorService threads =
                Executors.newFixedThreadPool(Math.min(CANCELLED_AT_ONCE, busy.size()), Daemons.named("cancel"));
        try {
            List<Callable<Boolean>> all = busy.stream()
                    .<Callable<Boolean>>map(client -> () -> {
                        client.cancel();
                        return true;
                    })
                    .toList();
            threads.invokeAll(all, maxMillis, TimeUnit.MILLISECONDS);
        } finally {
            threads.shutdownNow();
        }
    }

    /** Closes pooled sessions: a server counts what an idle session did only seconds later, or when the session ends. */
    @Override
    public void close() {
        pools.close();
    }
}
