package io.pgstress.target.loop;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;

/**
 * Lets all threads that wait go on at once. The threads that wait for a latch, or for a lock after a signal, wake each other one by
 * one; on event loops, each of them would first wait for its turn among the threads that are already at work. Opens once.
 * Thread-safe.
 */
public final class Gate {
    private final Queue<Thread> waiting = new ConcurrentLinkedQueue<>();
    private volatile boolean isOpen;

    /** Returns when the gate is open. */
    public void await() throws InterruptedException {
        if (isOpen) {
            return;
        }
        waiting.add(Thread.currentThread());
        while (!isOpen) { // a thread that is added later than this reads that the gate is open
            LockSupport.park(this);
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
        }
    }

    /** May be called repeatedly. */
    public void open() {
        isOpen = true;
        Thread thread;
        while ((thread = waiting.poll()) != null) {
            LockSupport.unpark(thread);
        }
    }

    public boolean isOpen() {
        return isOpen;
    }
}
