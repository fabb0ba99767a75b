package io.pgstress.runner;

import io.pgstress.measure.NanoClock;
import io.pgstress.measure.Timeline;
import io.pgstress.target.loop.Gate;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The pause of all clients while used-up ids are made available again. It begins when the last client has arrived, so
 * operations in progress are measured as usual; the timeline excludes it. Thread-safe.
 */
public final class Pause {
    private static final long NONE = Long.MIN_VALUE;

    /**
     * Total duration of the clients' pauses.
     *
     * @param nanos duration of completed pauses in nanoseconds
     * @param since start of the current pause, in the clock's nanoseconds; {@link #NONE} if there is none
     */
    private record Passed(long nanos, long since) {
        boolean isRunning() {
            return since != NONE;
        }

        long upTo(long now) {
            return isRunning() ? nanos + now - since : nanos;
        }
    }

    /** The number of pauses whose times are kept: enough for a chart. */
    private static final int MAX_TIMES = 1000;

    private final ReentrantLock lock = new ReentrantLock();
    private final Timeline timeline;
    private final NanoClock clock;
    private final Reset reset;

    /** The number of the latest pause that was requested, from 1. */
    private final AtomicInteger requested = new AtomicInteger();

    /** The number of pauses that are over, also those that came too late for a reset. */
    private volatile int ended;

    private int active;
    private int waiting;
    private Gate over = new Gate();
    private volatile Passed passed = new Passed(0, NONE);
    private volatile int count;
    private volatile int countMeasured;
    private volatile long nanosMeasured;
    private final List<Double> measuredAt = new CopyOnWriteArrayList<>();
    private volatile @Nullable RuntimeException failure;

    /** Makes ids available again; runs on a client's thread. */
    @FunctionalInterface
    interface Reset {
        /**
         * Returns the time to exclude from the run.
         *
         * @param start when the last client stopped
         */
        RunTiming.Window after(long start);
    }

    Pause(Timeline timeline, NanoClock clock, int clients, Reset reset) {
        this.timeline = timeline;
        this.clock = clock;
        this.active = clients;
        this.reset = reset;
    }

    boolean isRequested() {
        return requested.get() > ended;
    }

    /** Asks the clients to pause. */
    public void request() {
        request(ended + 1);
    }

    /**
     * Asks the clients for a pause of all hosts. The next one may be requested while the clients have not left the current one yet.
     *
     * @param number its number, from 1; nothing happens if that pause is over
     */
    public void request(int number) {
        requested.accumulateAndGet(number, Math::max);
    }

    /** Whether the reset is in progress. */
    public boolean isRunning() {
        return passed.isRunning();
    }

    /** Whether the current reset has lasted longer than this. */
    public boolean isLongerThan(long maxNanos) {
        Passed now = passed;
        return now.isRunning() && clock.nanoTime() - now.since() > maxNanos;
    }

    /** Waits until the reset is done. */
    public void await() throws InterruptedException {
        Gate mine = arrive();
        if (mine == null) {
            return;
        }
        try {
            mine.await();
        } catch (InterruptedException e) {
            giveUp(mine);
            throw e;
        }
        RuntimeException failed = failure;
        if (failed != null) {
            throw failed;
        }
    }

    /** A client has arrived; returns what it has to wait for, null if there is no pause. */
    private @Nullable Gate arrive() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            if (!isRequested()) {
                return null;
            }
            Gate mine = over;
            waiting++;
            finishIfAllAreHere();
            return mine;
        } finally {
            lock.unlock();
        }
    }

    private void giveUp(Gate mine) {
        lock.lock();
        try {
            if (mine.equals(over)) {
                waiting--;
            }
        } finally {
            lock.unlock();
        }
    }

    /** A client has ended; the others no longer wait for it. */
    void leave() {
        lock.lock();
        try {
            active--;
            finishIfAllAreHere();
        } finally {
            lock.unlock();
        }
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // written only under the lock
    private void finishIfAllAreHere() {
        if (!isRequested() || waiting == 0 || waiting < active) {
            return;
        }
        long start = clock.nanoTime();
        if (start < timeline.measureEnd()) { // otherwise the ids are no longer needed
            resetAt(start);
        }
        ended++;
        waiting = 0;
        over.open();
        over = new Gate();
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // written only under the lock
    private void resetAt(long start) {
        timeline.pause(start);
        Passed before = passed;
        passed = new Passed(before.nanos(), start);
        long measureStart = timeline.measureStart();
        boolean isMeasured = start >= measureStart;
        if (isMeasured) {
            countMeasured++;
            if (measuredAt.size() < MAX_TIMES) {
                measuredAt.add((start - measureStart) / 1e9);
            }
        }
        RunTiming.Window excluded;
        try {
            excluded = reset.after(start);
        } catch (RuntimeException e) {
            failure = e;
            excluded = new RunTiming.Window(start, clock.nanoTime());
        }
        long length = excluded.end() - excluded.start();
        timeline.shift(length);
        passed = new Passed(before.nanos() + length, NONE);
        nanosMeasured += isMeasured ? length : 0;
        count++;
    }

    /** Number of completed resets. */
    public int count() {
        return count;
    }

    /** Number of completed resets that began within the measurement. */
    public int countMeasured() {
        return countMeasured;
    }

    /** Total duration of the clients' pauses, including the current one, in seconds. */
    public double seconds() {
        return passed.upTo(clock.nanoTime()) / 1e9;
    }

    /** Total duration of the completed pauses that began within the measurement, in seconds. */
    public double measuredSeconds() {
        return nanosMeasured / 1e9;
    }

    /** Total duration of the pauses up to this time, which is not before the last completed one. */
    public long nanosUntil(long nanos) {
        Passed now = passed;
        return now.isRunning() ? now.nanos() + Math.max(0, nanos - now.since()) : now.nanos();
    }

    /** Starts of the first {@value #MAX_TIMES} pauses of the measurement, in seconds since its start, pauses excluded. */
    public List<Double> measuredAt() {
        return List.copyOf(measuredAt);
    }
}
