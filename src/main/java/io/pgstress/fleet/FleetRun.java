package io.pgstress.fleet;

import io.pgstress.fleet.RemoteHost.RemoteHosts;
import io.pgstress.measure.NanoClock;
import io.pgstress.plan.HostShare;
import io.pgstress.result.Remark;
import io.pgstress.runner.Clients;
import io.pgstress.runner.Coordination;
import io.pgstress.runner.Probe;
import io.pgstress.runner.RunContext;
import io.pgstress.runner.Stop.StopCause;
import io.pgstress.target.loop.LoadThreads;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/** One test on several hosts: what the command decides for all of them. Belongs to the run's thread, except {@link #events}. */
final class FleetRun implements Coordination, AutoCloseable {
    /** The start of a measurement is announced this long in advance if the load decides when its warm-up ends. */
    private static final long NOTICE_NANOS = TimeUnit.MILLISECONDS.toNanos(2_200);

    /** The start of the load, and of a measurement whose warm-up has a fixed length, is announced this long in advance. */
    private static final long START_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** The command prepares its own part of the load this long in advance. */
    private static final long READY_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    /** The end of a measurement that ends early is announced this long in advance. */
    private static final long END_NANOS = TimeUnit.MILLISECONDS.toNanos(300);

    /** A reset that is in progress when the load ends is waited for, before the tables are checked. */
    private static final long MAX_RESET_MILLIS = TimeUnit.SECONDS.toMillis(30);

    private static final long MAX_ABORTED_RESET_MILLIS = TimeUnit.SECONDS.toMillis(2);

    /** Agents report every 500 ms. */
    private static final long REPORT_NANOS = TimeUnit.MILLISECONDS.toNanos(800);

    private final NanoClock clock = NanoClock.SYSTEM;
    private final RemoteHosts hosts;
    private final int mayBeLost;
    private final boolean isInsecure;
    private final ProbeFactory probes;
    private final HostEvents events;
    private final FleetPauses pauses;
    private final LostHosts lostHosts;
    private final AtomicBoolean isStopSent = new AtomicBoolean();
    private volatile boolean isAborted;
    private volatile boolean isResetting;
    private volatile List<Remark> mayWrite = List.of();

    /**
     * @param mayBeLost how many hosts may be lost for the run to be valid
     * @param isInsecure whether messages are neither encrypted nor authenticated
     * @param probes those of the servers
     */
    FleetRun(RemoteHosts hosts, int mayBeLost, boolean isInsecure, ProbeFactory probes) {
        this.mayBeLost = mayBeLost;
        this.isInsecure = isInsecure;
        this.probes = probes;
        this.hosts = hosts;
        this.pauses = new FleetPauses(hosts, clock, this::sleepUntil);
        this.events = new HostEvents(hosts, clock, pauses);
        this.lostHosts = new LostHosts(hosts, clock, this::sleepUntil);
    }

    int mayBeLost() {
        return mayBeLost;
    }

    RemoteHosts hosts() {
        return hosts;
    }

    /** What happens to the hosts. */
    HostEvents events() {
        return events;
    }

    /** Begins to watch the hosts; called when the run's tables are ready. */
    void observes(RunContext run) {
        pauses.begin(
                () -> {
                    run.signals().pause().request();
                    run.signals().pause().await();
                },
                run.timeline(),
                e -> run.signals().stop().now(StopCause.CLIENT_FAILED, String.valueOf(e.getMessage())));
        events.begin(run);
    }

    @Override
    public HostShare share(int clients) {
        return HostShare.whole(clients);
    }

    @Override
    public List<Probe> probes(RunContext run, LoadThreads threads) {
        List<Probe> all = new ArrayList<>(probes.create(run, threads));
        all.add(0, new HostsProbe(run, this, isInsecure));
        return all;
    }

    @Override
    public Clients clients(RunContext run, LoadThreads threads) {
        return new RemoteClients(run, this);
    }

    @Override
    public int pausing(int clients) {
        return 1;
    }

    @Override
    public long loadStarts(long now) {
        long origin = now + START_NANOS;
        hosts.active().forEach(host -> hosts.lease(host, now));
        hosts.toActive(new Message.Start(origin));
        sleepUntil(origin - READY_NANOS);
        return origin;
    }

    @Override
    public long noticeNanos() {
        return NOTICE_NANOS;
    }

    @Override
    public long reportNanos() {
        return REPORT_NANOS;
    }

    @Override
    public OptionalLong measureStarts(boolean isWarm, long earliest) {
        boolean areWarm = hosts.active().stream().allMatch(RemoteHost::isWarm);
        if (!areWarm || pauses.isPausing() || hosts.active().isEmpty()) {
            return OptionalLong.empty();
        }
        hosts.toActive(new Message.Measure(earliest - events.run().timeline().origin()));
        return OptionalLong.of(earliest);
    }

    @Override
    public long measureEnds(long now) {
        if (hosts.active().isEmpty()) {
            return now;
        }
        long end = now + END_NANOS;
        if (isStopSent.compareAndSet(false, true)) {
            hosts.toActive(new Message.Stop(end, false));
        }
        return end;
    }

    @Override
    public Window pause(long start, Runnable reset) {
        return pauses.pause(start, () -> {
            lostHosts.endSessions(events.run().target(), LostHosts.MAX_MILLIS);
            reset.run();
        });
    }

    void sleepUntil(long time) {
        for (long left = time - clock.nanoTime(); left > 0; left = time - clock.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    /** Ends the load of all hosts without waiting for their operations. */
    void abort() {
        isAborted = true;
        hosts.toActive(new Message.Stop(0, true));
    }

    boolean isAborted() {
        return isAborted;
    }

    /** Ends the load of the hosts that have not ended; what they answer is no news. */
    void end() {
        events.end();
        hosts.toActive(new Message.Stop(0, true));
        isResetting = !pauses.end(isAborted ? MAX_ABORTED_RESET_MILLIS : MAX_RESET_MILLIS);
    }

    /** Waits until lost hosts begin no operation any more, unless the user does not, and ends their sessions; called after the load. */
    void endLostHosts() {
        RunContext run = events.run();
        lostHosts.await(() -> isAborted);
        List<Remark> remarks = lostHosts.endSessions(run.target(), LostHosts.MAX_MILLIS);
        mayWrite = run.checks().isEmpty() ? List.of() : remarks;
    }

    /** Says which lost hosts may still write. */
    List<Remark> mayWrite() {
        return mayWrite;
    }

    /** Whether the tables were still being reset when the load had ended, so that checks of them mean nothing. */
    boolean isResetting() {
        return isResetting;
    }

    @Override
    public void close() {
        events.end();
        hosts.toActive(new Message.Stop(0, true));
        events.close();
        pauses.close();
    }
}
