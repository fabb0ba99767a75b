package io.pgstress.fleet;

import io.pgstress.fleet.RemoteHost.RemoteHosts;
import io.pgstress.measure.NanoClock;
import io.pgstress.measure.Timeline;
import io.pgstress.runner.RunTiming;
import io.pgstress.target.driver.TargetException;
import io.pgstress.target.loop.Daemons;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Pauses of all hosts: when one of them has used up its ids, all stop, the tables are reset once, and all resume at the same
 * moment. Thread-safe.
 */
final class FleetPauses implements AutoCloseable {
    /** The end of a pause is announced this long in advance. */
    private static final long NOTICE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    /** Pauses the command's own run, which calls {@link #pause} unless its measurement is over. */
    interface OwnPause {
        void await() throws InterruptedException;
    }

    private final RemoteHosts hosts;
    private final NanoClock clock;
    private final LongConsumer sleepUntil;
    private final AtomicBoolean isPausing = new AtomicBoolean();
    private final AtomicInteger requested = new AtomicInteger();
    private final ExecutorService pausing = Executors.newSingleThreadExecutor(Daemons.named("fleet-pause"));
    private volatile @Nullable OwnPause own;
    private volatile @Nullable Timeline timeline;
    private volatile Consumer<RuntimeException> failed = e -> {};
    private volatile boolean isResumed;
    private volatile boolean isClosed;

    /** @param sleepUntil waits until a time of the clock */
    FleetPauses(RemoteHosts hosts, NanoClock clock, LongConsumer sleepUntil) {
        this.hosts = hosts;
        this.clock = clock;
        this.sleepUntil = sleepUntil;
    }

    /**
     * From now on, hosts may pause.
     *
     * @param newTimeline the command's: once its measurement is over, no ids are needed any more
     * @param newFailed called if the tables could not be reset
     */
    void begin(OwnPause newOwn, Timeline newTimeline, Consumer<RuntimeException> newFailed) {
        timeline = newTimeline;
        failed = newFailed;
        own = newOwn;
    }

    /** Whether hosts are about to stop for a pause. */
    boolean isPausing() {
        return isPausing.get();
    }

    /** A host has stopped, because ids are used up or because it was asked to. */
    void paused(RemoteHost host) {
        host.paused(true);
        if (isPausing.compareAndSet(false, true)) {
            hosts.toActive(new Message.Pause(requested.incrementAndGet()));
        }
        resetIfAllPaused();
    }

    /**
     * Resets the tables when the last host has stopped, or lets all resume if the measurement is over; called when one has
     * stopped, ended or been lost.
     */
    void resetIfAllPaused() {
        OwnPause pause = own;
        if (pause != null
                && isPausing.get()
                && (isOver() || hosts.active().stream().allMatch(RemoteHost::isPaused))) {
            try {
                pausing.execute(() -> reset(pause));
            } catch (RejectedExecutionException e) {
                return; // the run has ended meanwhile
            }
        }
    }

    private boolean isOver() {
        Timeline known = timeline;
        return known != null && known.isOver(clock.nanoTime());
    }

    private void reset(OwnPause pause) {
        if (!isPausing.compareAndSet(true, false)) {
            return;
        }
        isResumed = false;
        try {
            pause.await();
        } catch (InterruptedException e) {
            return;
        } catch (RuntimeException e) {
            if (!isClosed) {
                failed.accept(e);
            }
        }
        if (!isResumed) { // the measurement is over, or the reset failed
            resume(0, 0);
        }
    }

    /** Resets the tables and lets all hosts resume; called by the command's own pause. */
    RunTiming.Window pause(long start, Runnable reset) {
        if (!new LostHosts(hosts, clock, sleepUntil).await(() -> isClosed) || isClosed) {
            throw new TargetException("the run ended before the tables were reset");
        }
        reset.run();
        long end = clock.nanoTime() + NOTICE_NANOS;
        resume(start, end);
        sleepUntil.accept(end);
        return new RunTiming.Window(start, end);
    }

    private void resume(long start, long end) {
        isResumed = true;
        hosts.all().forEach(host -> host.paused(false));
        hosts.toActive(new Message.Resume(start, end));
    }

    /**
     * Ends a pause, so that tables are no longer reset.
     *
     * @param maxMillis longest wait for a reset that is in progress
     * @return whether none is in progress any more
     */
    boolean end(long maxMillis) {
        isClosed = true;
        pausing.shutdownNow();
        try {
            return pausing.awaitTermination(maxMillis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return pausing.isTerminated();
        }
    }

    @Override
    public void close() {
        isClosed = true;
        pausing.shutdownNow();
    }
}
