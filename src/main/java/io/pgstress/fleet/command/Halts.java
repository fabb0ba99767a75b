package io.pgstress.fleet.command;

import io.pgstress.fleet.wire.Message;
import io.pgstress.measure.NanoClock;
import io.pgstress.runner.client.Conductor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Pauses of all hosts: when one of them has used up its ids, all stop, the tables are reset once, and all resume at the same
 * moment. Thread-safe.
 */
final class Halts implements AutoCloseable {
    /** The end of a pause is announced this long in advance. */
    private static final long NOTICE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    /** Pauses the command's own run, which calls {@link #pause} unless its measurement is over. */
    @FunctionalInterface
    interface OwnPause {
        void await() throws InterruptedException;
    }

    private final RemoteHosts hosts;
    private final NanoClock clock;
    private final LongConsumer sleepUntil;
    private final AtomicBoolean isHalting = new AtomicBoolean();
    private final ExecutorService pausing = Executors.newSingleThreadExecutor(Halts::thread);
    private volatile @Nullable OwnPause own;
    private volatile Consumer<RuntimeException> failed = e -> {};
    private volatile boolean isResumed;
    private volatile boolean isClosed;

    /** @param sleepUntil waits until a time of the clock */
    Halts(RemoteHosts hosts, NanoClock clock, LongConsumer sleepUntil) {
        this.hosts = hosts;
        this.clock = clock;
        this.sleepUntil = sleepUntil;
    }

    private static Thread thread(Runnable task) {
        Thread thread = new Thread(task, "fleet-pause");
        thread.setDaemon(true);
        return thread;
    }

    /**
     * From now on, hosts may pause.
     *
     * @param newFailed called if the tables could not be reset
     */
    void begin(OwnPause newOwn, Consumer<RuntimeException> newFailed) {
        failed = newFailed;
        own = newOwn;
    }

    /** Whether hosts are about to stop for a pause. */
    boolean isHalting() {
        return isHalting.get();
    }

    /** A host has stopped, because ids are used up or because it was asked to. */
    void paused(RemoteHost host) {
        host.paused(true);
        if (isHalting.compareAndSet(false, true)) {
            hosts.toActive(new Message.Halt());
        }
        resetIfAllPaused();
    }

    /** Resets the tables when the last host has stopped; called when one has stopped, ended or been lost. */
    void resetIfAllPaused() {
        OwnPause pause = own;
        if (pause != null
                && !isClosed
                && isHalting.get()
                && hosts.active().stream().allMatch(RemoteHost::isPaused)) {
            pausing.execute(() -> reset(pause));
        }
    }

    private void reset(OwnPause pause) {
        if (!isHalting.compareAndSet(true, false)) {
            return;
        }
        isResumed = false;
        try {
            pause.await();
        } catch (InterruptedException e) {
            return;
        } catch (RuntimeException e) {
            failed.accept(e);
        }
        if (!isResumed) { // the measurement is over, or the reset failed
            resume(0, 0);
        }
    }

    /** Resets the tables and lets all hosts resume; called by the command's own pause. */
    Conductor.Window pause(long start, Runnable reset) {
        reset.run();
        long end = clock.nanoTime() + NOTICE_NANOS;
        resume(start, end);
        sleepUntil.accept(end);
        return new Conductor.Window(start, end);
    }

    private void resume(long start, long end) {
        isResumed = true;
        hosts.all().forEach(host -> host.paused(false));
        hosts.toActive(new Message.Resume(start, end));
    }

    @Override
    public void close() {
        isClosed = true;
        pausing.shutdownNow();
    }
}
