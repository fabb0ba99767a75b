package io.pgstress.fleet.command;

import io.pgstress.fleet.group.Member;
import io.pgstress.fleet.wire.Acknowledged;
import io.pgstress.fleet.wire.Message;
import io.pgstress.measure.NanoClock;
import io.pgstress.measure.Timeline;
import io.pgstress.operation.WriteSums;
import io.pgstress.plan.HostShare;
import io.pgstress.runner.RunContext;
import io.pgstress.runner.client.Conductor;
import io.pgstress.runner.client.StopCause;
import io.pgstress.text.TextException;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One test on several hosts: what its agents send, and what it decides for all of them. The run's thread calls the methods of
 * {@link Conductor}, the group's thread {@link #received} and {@link #left}.
 */
final class FleetRun implements Conductor, AutoCloseable {
    /** The start of the measurement is announced this long in advance. */
    private static final long NOTICE_NANOS = TimeUnit.MILLISECONDS.toNanos(2_200);

    /** The start of the load, and the end of a pause, are announced this long in advance. */
    private static final long START_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    /** The command prepares its own part of the load this long in advance. */
    private static final long READY_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    /** A host that is silent for this long is lost. */
    private static final long MAX_SILENCE_NANOS = TimeUnit.SECONDS.toNanos(4);

    private static final String SILENT = "silent for 4 s";

    /** The agents have lost a command that stood still for this long. */
    private static final long MAX_STILL_NANOS = TimeUnit.SECONDS.toNanos(3);

    /** The end of a measurement that ends early is announced this long in advance. */
    private static final long END_NANOS = TimeUnit.MILLISECONDS.toNanos(300);

    /** Agents report every 500 ms. */
    private static final long REPORT_NANOS = TimeUnit.MILLISECONDS.toNanos(800);

    private static final long NOTHING = Long.MIN_VALUE;
    private static final long BEAT_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final NanoClock clock = NanoClock.SYSTEM;
    private final Map<Member, RemoteHost> hosts = new ConcurrentHashMap<>();
    private final List<RemoteHost> inOrder;
    private final int mayBeLost;
    private final BiConsumer<Member, Message> send;
    private final AtomicBoolean isStopSent = new AtomicBoolean();
    private final AtomicBoolean isHalting = new AtomicBoolean();
    private final ExecutorService pausing = Executors.newSingleThreadExecutor(task -> daemon(task, "fleet-pause"));
    private final Thread ticker = daemon(this::tick, "fleet-beats");
    private volatile @Nullable RunContext context;
    private volatile @Nullable Acknowledged acknowledged;
    private final AtomicLong handled = new AtomicLong();
    private volatile long handlingSince = NOTHING;
    private volatile boolean isResumed;
    private volatile boolean isClosed;
    private volatile boolean isEnding;
    private volatile boolean isAborted;

    /**
     * @param mayBeLost how many hosts may be lost for the run to be valid
     * @param send sends a message to an agent
     */
    FleetRun(List<RemoteHost> inOrder, int mayBeLost, BiConsumer<Member, Message> send) {
        this.mayBeLost = mayBeLost;
        this.inOrder = List.copyOf(inOrder);
        this.send = send;
        long now = clock.nanoTime();
        inOrder.forEach(host -> {
            host.heard(now, 0);
            hosts.put(host.member(), host);
        });
    }

    private static Thread daemon(Runnable task, String name) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }

    int mayBeLost() {
        return mayBeLost;
    }

    List<RemoteHost> hosts() {
        return inOrder;
    }

    Collection<RemoteHost> active() {
        return inOrder.stream().filter(RemoteHost::isActive).toList();
    }

    /** Begins to watch the hosts; called when the run's tables are ready. */
    void observes(RunContext run) {
        acknowledged = Acknowledged.of(run.operations());
        run.extras().hosts(inOrder.stream().map(RemoteHost::name).toList());
        context = run;
        long now = clock.nanoTime();
        inOrder.forEach(host -> host.heard(now, handled(now)));
        ticker.start();
    }

    void toActive(Message message) {
        active().forEach(host -> send.accept(host.member(), message));
    }

    private void tick() {
        try {
            watch();
        } catch (RuntimeException e) {
            RunContext run = context;
            if (run != null) {
                run.course().stop().now(StopCause.CLIENT_FAILED, "the hosts cannot be watched: " + e);
            }
        }
    }

    /** Total time in which messages were handled. */
    private long handled(long now) {
        long since = handlingSince;
        return handled.get() + (since == NOTHING ? 0 : Math.max(0, now - since));
    }

    private void watch() {
        long beat = clock.nanoTime();
        long last = beat;
        while (!isClosed) {
            LockSupport.parkNanos(TICK_NANOS);
            long now = clock.nanoTime();
            String why = now - last > MAX_STILL_NANOS
                    ? String.format(Locale.ROOT, "the command stood still for %.1f s", (now - last) / 1e9)
                    : SILENT;
            last = now;
            if (now - beat >= BEAT_NANOS) {
                beat = now;
                toActive(new Message.Beat());
            }
            for (RemoteHost host : active()) {
                if (host.silence(now, handled(now)) > MAX_SILENCE_NANOS) {
                    lost(host, why);
                }
            }
        }
    }

    void send(RemoteHost host, Message message) {
        send.accept(host.member(), message);
    }

    private long pausedNanos(long until) {
        RunContext run = context;
        return run == null ? 0 : run.course().pause().nanosUntil(until);
    }

    private void warn(String text) {
        RunContext run = context;
        if (run != null && !isEnding) {
            run.warn(text);
        }
    }

    /** Goes on without a host. */
    void lost(RemoteHost host, String why) {
        if (!host.lost(why, pausedNanos(host.heard()))) {
            return;
        }
        warn("host " + host.name() + " was lost: " + why);
        send.accept(host.member(), new Message.Stop(0, true));
        Acknowledged writes = acknowledged;
        if (writes != null) {
            writes.lost(host.work().host());
        }
        RunContext run = context;
        if (run != null && inOrder.stream().allMatch(other -> other.lost() != null)) {
            run.course().stop().now(StopCause.HOSTS_LOST);
        }
        haltIfAllPaused();
    }

    /** A member has left the group. */
    void left(Member member) {
        RemoteHost host = hosts.get(member);
        if (host != null && host.isActive()) {
            lost(host, "its process ended, or it cannot be reached");
        }
    }

    /** Handles a message of an agent; returns at once. */
    void received(Member from, Message message) {
        RemoteHost host = hosts.get(from);
        RunContext run = context;
        if (host == null || !host.isActive()) {
            return;
        }
        long now = clock.nanoTime();
        host.heard(now, handled.get());
        handlingSince = now;
        try {
            handle(host, message, run);
        } catch (IllegalArgumentException | TextException e) {
            lost(host, "sent something that cannot be used: " + e.getMessage());
        } finally {
            handled.addAndGet(clock.nanoTime() - now);
            handlingSince = NOTHING;
        }
    }

    private void handle(RemoteHost host, Message message, @Nullable RunContext run) {
        if (message instanceof Message.Ping ping) {
            send.accept(host.member(), new Message.Pong(ping.number(), clock.nanoTime()));
        } else if (message instanceof Message.Ready ready) {
            host.ready(ready);
        } else if (message instanceof Message.Refused refused) {
            host.refused();
            lost(host, refused.reason());
        } else if (run != null) {
            recorded(host, message, run);
        }
    }

    private void recorded(RemoteHost host, Message message, RunContext run) {
        if (message instanceof Message.Progress progress) {
            host.progress(progress);
            acknowledged(host, progress.writes());
        } else if (message instanceof Message.Increment increment) {
            host.add(increment, run.timeline(), run.extras());
        } else if (message instanceof Message.Paused paused) {
            acknowledged(host, paused.writes());
            host.paused(true);
            if (isHalting.compareAndSet(false, true)) {
                toActive(new Message.Halt());
            }
            haltIfAllPaused();
        } else if (message instanceof Message.Stopping stopping) {
            run.course()
                    .stop()
                    .now(StopCause.valueOf(stopping.cause()), stopping.details() + " (host " + host.name() + ")");
        } else if (message instanceof Message.Ended ended) {
            ended(host, ended, run.timeline());
            haltIfAllPaused();
        }
    }

    private void acknowledged(RemoteHost host, List<WriteSums> sums) {
        Acknowledged writes = acknowledged;
        if (writes != null) {
            writes.ofHost(host.work().host(), sums);
        }
    }

    private void ended(RemoteHost host, Message.Ended ended, Timeline timeline) {
        host.ended(ended, () -> add(host, ended, timeline));
    }

    private void add(RemoteHost host, Message.Ended ended, Timeline timeline) {
        acknowledged(host, ended.writes());
        Acknowledged writes = acknowledged;
        if (writes != null) {
            for (int i = 0;
                    i < Math.min(ended.updatedIds().size(), writes.updated().size());
                    i++) {
                writes.updated().get(i).add(ended.updatedIds().get(i));
            }
        }
        for (int n = 0; n < ended.successes().size(); n++) {
            timeline.successes(host.work().nodes().get(n)).add(ended.successes().get(n));
        }
    }

    /** Resets the tables when the last host has paused. */
    private void haltIfAllPaused() {
        RunContext run = context;
        if (run == null || isClosed || !isHalting.get() || active().stream().anyMatch(host -> !host.isPaused())) {
            return;
        }
        pausing.execute(() -> {
            if (!isHalting.compareAndSet(true, false)) {
                return;
            }
            isResumed = false;
            try {
                run.course().pause().request();
                run.course().pause().await();
            } catch (InterruptedException e) {
                return;
            } catch (RuntimeException e) {
                run.course().stop().now(StopCause.CLIENT_FAILED, String.valueOf(e.getMessage()));
            }
            if (!isResumed) { // the measurement is over, or the reset failed
                resume(0, 0);
            }
        });
    }

    private void resume(long start, long end) {
        isResumed = true;
        inOrder.forEach(host -> host.paused(false));
        toActive(new Message.Resume(start, end));
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
        RunContext run = context;
        long warmup = run == null || run.spec().phases().autoWarmup()
                ? NOTICE_NANOS
                : run.spec().phases().warmup().toNanos();
        long origin = now + Math.max(START_NANOS, NOTICE_NANOS - warmup);
        toActive(new Message.Start(origin));
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
        boolean areWarm = active().stream().allMatch(host -> isWarm(host.progress()));
        RunContext run = context;
        if (!areWarm || run == null || isHalting.get() || active().isEmpty()) {
            return OptionalLong.empty();
        }
        toActive(new Message.Measure(earliest - run.timeline().origin()));
        return OptionalLong.of(earliest);
    }

    @Override
    public long measureEnds(long now) {
        if (active().isEmpty()) {
            return now;
        }
        long end = now + END_NANOS;
        if (isStopSent.compareAndSet(false, true)) {
            toActive(new Message.Stop(end, false));
        }
        return end;
    }

    private static boolean isWarm(Message.@Nullable Progress progress) {
        return progress != null && progress.isWarm();
    }

    @Override
    public Window pause(long start, Runnable reset) {
        reset.run();
        long end = clock.nanoTime() + START_NANOS;
        resume(start, end);
        sleepUntil(end);
        return new Window(start, end);
    }

    void sleepUntil(long time) {
        for (long left = time - clock.nanoTime(); left > 0; left = time - clock.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    /** When a host was lost, in seconds from the start of the measurement, without pauses. */
    double lostAtSeconds(RemoteHost host) {
        RunContext run = context;
        return run == null
                ? 0
                : (host.lostAt()
                                + pausedNanos(clock.nanoTime())
                                - run.timeline().measureStart())
                        / 1e9;
    }

    /** Ends the load of all hosts without waiting for their operations. */
    void abort() {
        isAborted = true;
        toActive(new Message.Stop(0, true));
    }

    boolean isAborted() {
        return isAborted;
    }

    /** Ends the load of the hosts that have not ended; what they answer is no news. */
    void end() {
        isEnding = true;
        toActive(new Message.Stop(0, true));
    }

    @Override
    public void close() {
        end();
        isClosed = true;
        pausing.shutdownNow();
    }
}
