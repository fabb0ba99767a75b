package io.pgstress.target.loop;

import java.io.IOException;
import java.net.SocketException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Lets a thread wait until a channel can be read or written. The loop of the waiting thread watches the channel, which stays
 * registered, so that a wait needs no system call of its own. One thread at a time, as for a connection; any thread may close.
 */
public final class Readiness {
    private final SelectableChannel channel;
    private volatile EventLoop loop;
    private volatile SelectionKey key;
    private final AtomicReference<@Nullable Thread> waiter = new AtomicReference<>();

    /** The last thread that waited; used by one thread at a time. */
    private @Nullable Thread last;

    private boolean isOnLoop;

    private Readiness(SelectableChannel channel, EventLoop loop) throws IOException {
        this.channel = channel;
        this.loop = loop;
        channel.configureBlocking(false);
        this.key = loop.register(channel, this);
    }

    /**
     * Makes the channel non-blocking and registers it with the calling thread's loop. Does nothing and returns null if the
     * thread belongs to no loop.
     */
    public static @Nullable Readiness onCurrentLoop(SelectableChannel channel) throws IOException {
        EventLoop loop = EventLoop.current();
        return loop == null ? null : new Readiness(channel, loop);
    }

    /**
     * Waits.
     *
     * @param operation {@link SelectionKey#OP_READ}, {@link SelectionKey#OP_WRITE} or {@link SelectionKey#OP_CONNECT}
     * @param nanos the time limit; 0: none
     * @return false if the time limit was reached
     * @throws IOException if the channel is closed meanwhile, or the thread is interrupted, which closes it
     */
    public boolean await(int operation, long nanos) throws IOException {
        Thread me = Thread.currentThread();
        long start = nanos == 0 ? 0 : System.nanoTime();
        waiter.set(me);
        try {
            watch(me, operation);
            while (waiter.get() == me) {
                if (!channel.isOpen()) {
                    throw new SocketException("Socket closed");
                }
                if (me.isInterrupted()) {
                    channel.close();
                    throw new SocketException("Closed by interrupt");
                }
                long left = nanos == 0 ? Long.MAX_VALUE : nanos - (System.nanoTime() - start);
                if (left <= 0) {
                    return false;
                }
                park(left);
            }
            if (isOnLoop) {
                loop.waits().goesOn();
            }
            return true;
        } catch (CancelledKeyException e) {
            throw new IOException("Socket closed", e);
        } finally {
            waiter.set(null);
        }
    }

    private void park(long nanos) {
        if (nanos == Long.MAX_VALUE) {
            LockSupport.park(this);
        } else {
            LockSupport.parkNanos(this, nanos);
        }
    }

    private void watch(Thread me, int operation) throws IOException {
        if (me != last) { // a thread stays on its loop
            last = me;
            moveTo(EventLoop.current());
        }
        if (key.interestOps() != operation) {
            key.interestOps(operation);
            loop.wake(); // has an effect on another thread's loop only
        }
    }

    private void moveTo(@Nullable EventLoop mine) throws IOException {
        isOnLoop = mine != null;
        if (mine != null && !mine.equals(loop)) {
            key.interestOps(0);
            SelectionKey known = mine.keyOf(channel);
            key = known == null ? mine.register(channel, this) : known;
            loop = mine;
        }
    }

    /** Called by the loop. A channel that is ready while no thread waits is not watched until one does, or the loop would never rest. */
    void ready(SelectionKey found) {
        if (!found.equals(key)) {
            unwatch(found);
            return;
        }
        Thread waiting = waiter.get();
        if (waiting == null) {
            unwatch(found);
            waiting = waiter.get(); // a thread may have started to wait in between, when the channel was still watched
        }
        // not a later thread, which waits by another loop
        if (waiting != null && waiter.compareAndSet(waiting, null)) {
            LockSupport.unpark(waiting);
        }
    }

    private static void unwatch(SelectionKey key) {
        try {
            key.interestOps(0);
        } catch (CancelledKeyException e) {
            return; // closed meanwhile, by another thread
        }
    }

    /** Lets each other thread of the loop that can continue run once. */
    @SuppressWarnings("ThreadPriorityCheck") // on a loop this is not just a hint: the others do run first
    public void yieldToOthers() {
        Thread.yield();
    }

    /** To be called when the channel was closed: wakes the thread that waits for it. */
    public void closed() {
        LockSupport.unpark(waiter.get());
        loop.wake(); // the poll then ends the channel's registration, which closes it
    }
}
