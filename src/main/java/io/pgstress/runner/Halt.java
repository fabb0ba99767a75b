package io.pgstress.runner;

import io.pgstress.measure.NanoClock;
import io.pgstress.measure.Timeline;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The place where all clients stand still while used-up ids are made available again. The halt begins when the last of
 * them has arrived, so what was in flight is measured as ever, and the time line moves on by its length. Thread-safe.
 */
final class Halt {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition over = lock.newCondition();
    private final Timeline timeline;
    private final NanoClock clock;
    private final Runnable reset;
    private volatile boolean requested;
    private int active;
    private int waiting;
    private long generation;
    private int count;
    private long nanos;
    private @Nullable RuntimeException failure;

    /** @param reset makes the ids available again; runs on a client's thread */
    Halt(Timeline timeline, NanoClock clock, int clients, Runnable reset) {
        this.timeline = timeline;
        this.clock = clock;
        this.active = clients;
        this.reset = reset;
    }

    boolean isRequested() {
        return requested;
    }

    void request() {
        requested = true;
    }

    /** Stands still until the reset is done. */
    void await() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            if (!requested) {
                return;
            }
            long mine = generation;
            waiting++;
            finishIfAllAreHere();
            while (mine == generation) {
                over.await();
            }
            if (failure != null) {
                throw failure;
            }
        } catch (InterruptedException e) {
            waiting--;
            throw e;
        } finally {
            lock.unlock();
        }
    }

    /** A client has ended and is not waited for any more. */
    void leave() {
        lock.lock();
        try {
            active--;
            finishIfAllAreHere();
        } finally {
            lock.unlock();
        }
    }

    private void finishIfAllAreHere() {
        if (!requested || waiting == 0 || waiting < active) {
            return;
        }
        long start = clock.nanoTime();
        try {
            reset.run();
        } catch (RuntimeException e) {
            failure = e;
        }
        long length = clock.nanoTime() - start;
        timeline.shift(length);
        count++;
        nanos += length;
        requested = false;
        waiting = 0;
        generation++;
        over.signalAll();
    }

    int count() {
        lock.lock();
        try {
            return count;
        } finally {
            lock.unlock();
        }
    }

    double seconds() {
        lock.lock();
        try {
            return nanos / 1e9;
        } finally {
            lock.unlock();
        }
    }
}
