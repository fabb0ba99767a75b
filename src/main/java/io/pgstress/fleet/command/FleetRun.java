package io.pgstress.fleet.command;

import io.pgstress.fleet.group.Member;
import io.pgstress.fleet.wire.Acknowledged;
import io.pgstress.fleet.wire.Handlers;
import io.pgstress.fleet.wire.Message;
import io.pgstress.measure.NanoClock;
import io.pgstress.plan.HostShare;
import io.pgstress.plan.Phases;
import io.pgstress.runner.RunContext;
import io.pgstress.runner.client.Conductor;
import io.pgstress.runner.client.StopCause;
import io.pgstress.text.TextException;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One test on several hosts: what its agents send, and what it decides for all of them. The run's thread calls the methods of
 * {@link Conductor}, the group's thread {@link #received} and {@link #left}.
 */
final class FleetRun implements Conductor, AutoCloseable {
    /** The start of the measurement is announced this long in advance. */
    private static final long NOTICE_NANOS = TimeUnit.MILLISECONDS.toNanos(2_200);

    /** The start of the load is announced at least this long in advance. */
    private static final long START_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    /** The command prepares its own part of the load this long in advance. */
    private static final long READY_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    /** The end of a measurement that ends early is announced this long in advance. */
    private static final long END_NANOS = TimeUnit.MILLISECONDS.toNanos(300);

    /** A reset that is in progress when the load ends is waited for, before the tables are checked. */
    private static final long MAX_RESET_MILLIS = TimeUnit.SECONDS.toMillis(30);

    private static final long MAX_ABORTED_RESET_MILLIS = TimeUnit.SECONDS.toMillis(2);

    /** Agents report every 500 ms. */
    private static final long REPORT_NANOS = TimeUnit.MILLISECONDS.toNanos(800);

    /** What the command has prepared: the run, and what hosts add to it. */
    private record Started(RunContext run, HostRecords records) {}

    private final NanoClock clock = NanoClock.SYSTEM;
    private final RemoteHosts hosts;
    private final int mayBeLost;
    private final Heartbeats watch;
    private final Halts halts;
    private final Handlers<RemoteHost> handlers = new Handlers<RemoteHost>()
            .on(Message.Ping.class, this::ping)
            .on(Message.Ready.class, RemoteHost::ready)
            .on(Message.Refused.class, this::refused)
            .on(Message.Progress.class, (host, progress) -> started().records().progress(host, progress))
            .on(
                    Message.Increment.class,
                    (host, increment) -> started().records().increment(host, increment))
            .on(Message.Usage.class, (host, usage) -> started().records().usage(host, usage))
            .on(Message.Paused.class, this::paused)
            .on(Message.Stopping.class, this::stopping)
            .on(Message.Ended.class, this::ended);
    private final AtomicBoolean isStopSent = new AtomicBoolean();
    private volatile @Nullable Started started;
    private volatile boolean isEnding;
    private volatile boolean isAborted;
    private volatile boolean isResetting;

    /** @param mayBeLost how many hosts may be lost for the run to be valid */
    FleetRun(RemoteHosts hosts, int mayBeLost) {
        this.mayBeLost = mayBeLost;
        this.hosts = hosts;
        this.halts = new Halts(hosts, clock, this::sleepUntil);
        this.watch = new Heartbeats(hosts, clock, this::lost, this::unwatched);
    }

    int mayBeLost() {
        return mayBeLost;
    }

    RemoteHosts hosts() {
        return hosts;
    }

    /** Begins to watch the hosts; called when the run's tables are ready. */
    void observes(RunContext run) {
        run.extras().hosts(hosts.all().stream().map(RemoteHost::name).toList());
        HostRecords records = new HostRecords(run.timeline(), run.extras(), Acknowledged.of(run.operations()));
        started = new Started(run, records);
        halts.begin(
                ownPause(run), e -> run.course().stop().now(StopCause.CLIENT_FAILED, String.valueOf(e.getMessage())));
        watch.start();
    }

    private Halts.OwnPause ownPause(RunContext run) {
        return new Halts.OwnPause() {
            @Override
            public void await() throws InterruptedException {
                run.course().pause().request();
                run.course().pause().await();
            }

            @Override
            public boolean isOver() {
                return clock.nanoTime() >= run.timeline().measureEnd();
            }
        };
    }

    /** @throws IllegalArgumentException if no host has been given work yet */
    private Started started() {
        Started known = started;
        if (known == null) {
            throw new IllegalArgumentException("a record before the run has begun");
        }
        return known;
    }

    private void unwatched(RuntimeException e) {
        started().run().course().stop().now(StopCause.CLIENT_FAILED, "the hosts cannot be watched: " + e);
    }

    private static long pausedNanos(@Nullable Started known, long until) {
        return known == null ? 0 : known.run().course().pause().nanosUntil(until);
    }

    /** Goes on without a host. */
    void lost(RemoteHost host, String why) {
        Started known = started;
        if (!host.lost(why, pausedNanos(known, host.heard()))) {
            return;
        }
        hosts.send(host, new Message.Stop(0, true));
        if (known != null) {
            if (!isEnding && !isReportedByConnect(host)) {
                known.run().warn("host " + host.name() + " was lost: " + why);
            }
            known.records().lost(host);
            if (hosts.areAllLost()) {
                known.run().course().stop().now(StopCause.HOSTS_LOST);
            }
        }
        halts.resetIfAllPaused();
    }

    /** A host that cannot begin ends the command, whose message says why. */
    private static boolean isReportedByConnect(RemoteHost host) {
        return host.hasRefused() && host.ready() == null;
    }

    /** A member has left the group. */
    void left(Member member) {
        RemoteHost host = hosts.of(member);
        if (host != null) {
            lost(host, "its process ended, or it cannot be reached");
        }
    }

    /** Handles a message of an agent; returns at once. */
    void received(Member from, Message message) {
        RemoteHost host = hosts.of(from);
        if (host != null && host.isActive()) {
            watch.handle(host, () -> handle(host, message));
        }
    }

    private void handle(RemoteHost host, Message message) {
        try {
            handlers.handle(host, message);
        } catch (IllegalArgumentException | TextException e) {
            lost(host, "sent something that cannot be used: " + e.getMessage());
        }
    }

    private void ping(RemoteHost host, Message.Ping ping) {
        hosts.send(host, new Message.Pong(ping.number(), clock.nanoTime()));
    }

    private void refused(RemoteHost host, Message.Refused refused) {
        host.refused();
        lost(host, refused.reason());
    }

    private void paused(RemoteHost host, Message.Paused paused) {
        started().records().wrote(host, paused.writes());
        halts.paused(host);
    }

    private void stopping(RemoteHost host, Message.Stopping stopping) {
        StopCause cause = StopCause.valueOf(stopping.cause());
        started().run().course().stop().now(cause, stopping.details() + " (host " + host.name() + ")");
    }

    private void ended(RemoteHost host, Message.Ended ended) {
        started().records().ended(host, ended);
        halts.resetIfAllPaused();
    }

    @Override
    public HostShare share(int clients) {
        return HostShare.whole(clients);
    }

    @Override
    public int pausing(int clients) {
        return 1;
    }

    @Override
    public long loadStarts(long now) {
        Phases phases = started().run().spec().phases();
        long warmup = phases.autoWarmup() ? NOTICE_NANOS : phases.warmup().toNanos();
        long origin = now + Math.max(START_NANOS, NOTICE_NANOS - warmup);
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
        if (!areWarm || halts.isHalting() || hosts.active().isEmpty()) {
            return OptionalLong.empty();
        }
        hosts.toActive(new Message.Measure(earliest - started().run().timeline().origin()));
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
        return halts.pause(start, reset);
    }

    void sleepUntil(long time) {
        for (long left = time - clock.nanoTime(); left > 0; left = time - clock.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    /** When a host was lost, in seconds from the start of the measurement, without pauses. */
    double lostAtSeconds(RemoteHost host) {
        Started known = started;
        return known == null
                ? 0
                : (host.lostAt()
                                + pausedNanos(known, clock.nanoTime())
                                - known.run().timeline().measureStart())
                        / 1e9;
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
        isEnding = true;
        hosts.toActive(new Message.Stop(0, true));
        isResetting = !halts.end(isAborted ? MAX_ABORTED_RESET_MILLIS : MAX_RESET_MILLIS);
    }

    /** Whether the tables were still being reset when the load had ended, so that checks of them mean nothing. */
    boolean isResetting() {
        return isResetting;
    }

    @Override
    public void close() {
        isEnding = true;
        hosts.toActive(new Message.Stop(0, true));
        watch.close();
        halts.close();
    }
}
