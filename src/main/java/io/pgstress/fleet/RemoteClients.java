package io.pgstress.fleet;

import io.pgstress.dataset.Keys;
import io.pgstress.measure.Cell;
import io.pgstress.measure.Outcome;
import io.pgstress.measure.Phase;
import io.pgstress.result.NodeResult;
import io.pgstress.result.ReachedSessions;
import io.pgstress.result.RunResult;
import io.pgstress.result.Sum;
import io.pgstress.runner.Clients;
import io.pgstress.runner.RunContext;
import io.pgstress.runner.Schedule;
import io.pgstress.runner.Stop;
import io.pgstress.target.driver.TargetException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The clients of all agents of a test. Belongs to the run's thread. */
record RemoteClients(RunContext run, FleetRun fleet) implements Clients {
    private static final long LOOK_MILLIS = 20;
    private static final long MAX_CONNECT_NANOS = TimeUnit.SECONDS.toNanos(120);

    /**
     * After the drain, an agent ends its sessions and sends its result. After an hour of intervals, that took longer than 20 s on a
     * full machine. A host that falls silent meanwhile is lost after a few seconds, and the user may interrupt the wait.
     */
    private static final long MAX_REPORT_NANOS = TimeUnit.MINUTES.toNanos(2);

    private static final long MAX_ABORT_NANOS = TimeUnit.SECONDS.toNanos(1);

    @Override
    public int count() {
        return fleet.hosts().all().stream().mapToInt(RemoteHost::clients).sum();
    }

    @Override
    public void connect() throws InterruptedException {
        fleet.observes(run);
        fleet.hosts().all().forEach(host -> fleet.hosts().send(host, host.work()));
        awaitConnected();
    }

    /**
     * Waits until the clients of all hosts have connected, and checks that the hosts fit together.
     *
     * @throws TargetException if the load cannot begin
     */
    private void awaitConnected() throws InterruptedException {
        long end = System.nanoTime() + MAX_CONNECT_NANOS;
        for (List<RemoteHost> missing = missing(); !missing.isEmpty(); missing = missing()) {
            checkLost();
            Stop.Reason reason = run.signals().stop().reason();
            if (reason != null) {
                throw reason.before("before the hosts' clients were connected");
            }
            if (System.nanoTime() > end) {
                throw new TargetException("the clients of these hosts did not connect within 2 minutes: "
                        + missing.stream().map(RemoteHost::name).collect(Collectors.joining(", ")));
            }
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        }
        checkLost();
        checkIds();
    }

    private List<RemoteHost> missing() {
        return fleet.hosts().active().stream()
                .filter(host -> host.ready() == null)
                .toList();
    }

    /** Too few hosts before the load are no test: nothing is lost if it does not begin. */
    private void checkLost() {
        List<RemoteHost> lost =
                fleet.hosts().all().stream().filter(host -> host.lost() != null).toList();
        for (RemoteHost host : lost) {
            if (host.hasRefused()) {
                throw new TargetException("host " + host.name() + ": " + host.lost());
            }
            if (lost.size() > fleet.mayBeLost()) {
                throw new TargetException("host " + host.name() + " was lost before the load: " + host.lost());
            }
        }
    }

    /** All hosts draw from the same ids in the same order, or they would use some of them twice. */
    private void checkIds() {
        Keys own = run.table().keys();
        long checksum = own.checksum();
        for (RemoteHost host : fleet.hosts().active()) {
            Message.Ready ready = Objects.requireNonNull(host.ready());
            if (ready.ids() != own.size()) {
                throw new TargetException("host " + host.name() + " read " + ready.ids() + " ids from table "
                        + run.table().name() + ", this one " + own.size() + ": do they use the same database?");
            }
            if (ready.checksum() != checksum) {
                throw new TargetException("host " + host.name() + " read other ids from table "
                        + run.table().name() + " than this one: do they use the same database?");
            }
        }
    }

    @Override
    public void start(long origin) {
        fleet.sleepUntil(origin);
    }

    /** Each host holds its own clients back. */
    @Override
    public boolean isRamping(long now) {
        return false;
    }

    @Override
    public long okSoFar() {
        return sum(Message.Progress::ok);
    }

    /** Each host waits for its own compiler. */
    @Override
    public boolean isCompiling() {
        return false;
    }

    private long sum(ToLongFunction<Message.Progress> figure) {
        return fleet.hosts().all().stream()
                .map(RemoteHost::progress)
                .filter(Objects::nonNull)
                .mapToLong(figure)
                .sum();
    }

    @Override
    public boolean haveExecuted(int times) {
        return fleet.hosts().active().stream()
                .map(RemoteHost::progress)
                .allMatch(progress -> progress != null && progress.haveExecuted());
    }

    @Override
    public boolean haveAllEnded() {
        return fleet.hosts().active().isEmpty();
    }

    @Override
    public int inFlight() {
        return (int) sum(Message.Progress::inFlight);
    }

    @Override
    public long backlog(long nanos) {
        return run.signals().schedule() == null ? 0 : sum(Message.Progress::backlog);
    }

    /**
     * Waits for the results. The agents have counted their unfinished operations themselves; what their clients wait for is among the
     * reasons of the hosts' own results.
     */
    @Override
    public Map<String, Integer> countUnfinished() {
        awaitResults(fleet.isAborted() ? MAX_ABORT_NANOS : MAX_REPORT_NANOS);
        return Map.of();
    }

    /** Goes on without the hosts that have not ended within this time. */
    private void awaitResults(long nanos) {
        await(nanos);
        fleet.hosts().active().forEach(host -> fleet.events().lost(host, "did not report its result"));
    }

    private void await(long nanos) {
        long end = System.nanoTime() + nanos;
        boolean wasAborted = fleet.isAborted();
        while (!haveAllEnded() && System.nanoTime() < end && fleet.isAborted() == wasAborted) {
            try {
                TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    @Override
    public void breakOff(boolean isAborted) {
        fleet.end();
        awaitResults(MAX_ABORT_NANOS);
        if (run.timeline().sinceLoad(System.nanoTime()) >= 0) {
            fleet.endLostHosts();
        }
        Schedule schedule = run.signals().schedule();
        if (schedule != null) {
            fleet.hosts().all().stream()
                    .filter(host -> host.lost() != null)
                    .forEach(host -> countNotSent(host, schedule));
        }
    }

    /**
     * Counts the arrivals of a lost host that it has not reported. It sent none of them after its end. Those between its last report and
     * its end were sent, but have no known response time.
     */
    private void countNotSent(RemoteHost host, Schedule schedule) {
        Message.Work work = host.work();
        long own = schedule.measured()
                .dueOf(work.host(), work.hosts(), run.timeline().measureEnd() - schedule.measureStart());
        Cell seen = host.measured();
        long reported = seen == null
                ? 0
                : Stream.of(Outcome.values()).mapToLong(seen::count).sum();
        host.notSent(Math.max(0, own - reported));
    }

    /** The longest drain of a host; the command also waits for the hosts' results. */
    @Override
    public double drainSeconds(double waited) {
        return fleet.hosts().all().stream()
                .map(RemoteHost::result)
                .filter(Objects::nonNull)
                .mapToDouble(result -> result.run().seconds(Phase.DRAIN))
                .max()
                .orElse(waited);
    }

    @Override
    public long calls(int node, int operation, int statement) {
        return fleet.hosts().all().stream()
                .mapToLong(host -> host.calls(node, operation, statement))
                .sum();
    }

    @Override
    public NodeResult.@Nullable ClientOperations operations(int node) {
        return Sum.known(resultsOf(node).map(NodeResult::clientOperations));
    }

    /** The node's results on the hosts that have reported any. */
    private Stream<NodeResult> resultsOf(int node) {
        List<NodeResult> parts = new ArrayList<>();
        for (RemoteHost host : fleet.hosts().all()) {
            RunResult own = host.result();
            int local = host.work().nodes().indexOf(node);
            if (own != null && local >= 0) {
                parts.add(own.nodes().get(local));
            }
        }
        return parts.stream();
    }

    @Override
    public boolean areComplete() {
        return fleet.hosts().all().stream().allMatch(host -> host.lost() == null);
    }

    @Override
    public @Nullable List<ReachedSessions> reached(int node) {
        return ReachedSessions.together(resultsOf(node).map(NodeResult::reached).toList());
    }

    @Override
    public long dropped() {
        return sumOfResults(h -> h.load().open().droppedFromWarmup());
    }

    @Override
    public long begunLate() {
        return sumOfResults(h -> h.load().open().backlog());
    }

    private long sumOfResults(Function<RunResult, @Nullable Long> figure) {
        return fleet.hosts().all().stream()
                .map(RemoteHost::result)
                .filter(Objects::nonNull)
                .map(figure)
                .filter(Objects::nonNull)
                .mapToLong(Long::longValue)
                .sum();
    }

    @Override
    public void close() {
        fleet.close();
    }
}
