package io.pgstress.fleet;

import io.pgstress.measure.NanoClock;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Notices hosts that are silent, and tells all hosts that the command is alive. Messages are handled by one thread,
 * {@link #look} is called by another.
 */
final class Heartbeats implements AutoCloseable {
    /** A host that is silent for this long is lost. */
    private static final long MAX_SILENCE_NANOS = TimeUnit.SECONDS.toNanos(4);

    /**
     * The same before the load, when the hosts' JVMs load their classes: 64 of them on two cores did not report for 4 s. The group
     * notices lost hosts earlier.
     */
    private static final long MAX_SILENCE_BEFORE_LOAD_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** The agents have lost a command that stood still for this long. */
    private static final long MAX_STILL_NANOS = TimeUnit.SECONDS.toNanos(3);

    private static final long NOTHING = Long.MIN_VALUE;
    private static final long BEAT_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final RemoteHosts hosts;
    private final NanoClock clock;
    private final BiConsumer<RemoteHost, String> lost;
    private final Consumer<RuntimeException> failed;
    private final AtomicLong handled = new AtomicLong();
    private volatile long handlingSince = NOTHING;
    private volatile @Nullable Thread watcher;
    private long lastLook;
    private long lastBeat;
    private volatile boolean isClosed;

    /**
     * @param lost called with a silent host and the reason, again and again until the host is not active any more
     * @param failed called when the hosts cannot be watched any longer
     */
    Heartbeats(
            RemoteHosts hosts,
            NanoClock clock,
            BiConsumer<RemoteHost, String> lost,
            Consumer<RuntimeException> failed) {
        this.hosts = hosts;
        this.clock = clock;
        this.lost = lost;
        this.failed = failed;
        begin();
    }

    /** All hosts are alive now. */
    private void begin() {
        long now = clock.nanoTime();
        lastLook = now;
        lastBeat = now;
        hosts.all().forEach(host -> host.heard(now, handled(now)));
    }

    /** Watches the hosts until the end, on a thread of its own. */
    void start() {
        begin();
        Thread thread = new Thread(this::watch, "fleet-beats");
        thread.setDaemon(true);
        watcher = thread;
        thread.start();
    }

    private void watch() {
        try {
            while (!isClosed) {
                LockSupport.parkNanos(TICK_NANOS);
                look();
            }
        } catch (RuntimeException e) {
            failed.accept(e);
        }
    }

    /** Sends beats when they are due, and looks for silent hosts. */
    void look() {
        long now = clock.nanoTime();
        long still = now - lastLook;
        lastLook = now;
        if (now - lastBeat >= BEAT_NANOS) {
            lastBeat = now;
            hosts.toActive(new Message.Beat());
        }
        for (RemoteHost host : hosts.active()) {
            long limit = host.progress() == null ? MAX_SILENCE_BEFORE_LOAD_NANOS : MAX_SILENCE_NANOS;
            if (host.silence(now, handled(now)) > limit) {
                lost.accept(
                        host,
                        still > MAX_STILL_NANOS
                                ? String.format(Locale.ROOT, "the command stood still for %.1f s", still / 1e9)
                                : "silent for " + TimeUnit.NANOSECONDS.toSeconds(limit) + " s");
            }
        }
    }

    /** Handles a message, which shows that its host is alive. Hosts whose messages wait meanwhile do not count as silent. */
    void handle(RemoteHost host, Runnable handling) {
        long now = clock.nanoTime();
        host.heard(now, handled.get());
        handlingSince = now;
        try {
            handling.run();
        } finally {
            handled.addAndGet(clock.nanoTime() - now);
            handlingSince = NOTHING;
        }
    }

    /** Total time in which messages were handled. */
    private long handled(long now) {
        long since = handlingSince;
        return handled.get() + (since == NOTHING ? 0 : Math.max(0, now - since));
    }

    @Override
    public void close() {
        isClosed = true;
        LockSupport.unpark(watcher);
    }
}
