package io.pgstress.target.loop;

import java.io.Closeable;
import java.io.IOException;
import java.net.SocketException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Lets a thread wait until a channel can be read or written. The loop of the waiting thread watches the channel, which stays
 * registered, so that a wait needs no system call of its own. One thread at a time, as for a connection; any thread may close.
 */
public final class Readiness implements Closeable {
    private final SelectableChannel channel;
    private volatile EventLoop loop;
    private volatile SelectionKey key;

    /** The channel's key at each loop on which it was used. Changed by one thread at a time, read by loops. */
    private final Map<EventLoop, SelectionKey> keys = new ConcurrentHashMap<>();

    /** What the last thread that waited waits for. */
    private volatile int wanted;

    private final AtomicReference<@Nullable Thread> waiter = new AtomicReference<>();

    /** The last thread that waited; used by one thread at a time. */
    private @Nullable Thread last;

    private boolean isOnLoop;

    private Readiness(SelectableChannel channel, EventLoop loop) throws IOException {
        this.channel = channel;
        this.loop = loop;
        channel.configureBlocking(false);
        this.key = keyAt(loop);
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
                if (!channel.isOpen() || loop.hasEnded()) {
                    throw new SocketException("Socket closed");
                }
                if (me.isInterrupted()) {
                    close();
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
        wanted = operation;
        SelectionKey current = key;
        if (current.interestOps() != operation) {
            loop.change(() -> watch(current));
        }
    }

    private void moveTo(@Nullable EventLoop mine) throws IOException {
        isOnLoop = mine != null;
        if (mine != null && !mine.equals(loop)) {
            SelectionKey left = key;
            loop.changeLater(() -> unwatch(left)); // until then it may find the channel ready, once and in vain
            key = keyAt(mine);
            loop = mine;
        }
    }

    private SelectionKey keyAt(EventLoop mine) throws IOException {
        SelectionKey known = keys.get(mine);
        if (known == null) {
            known = mine.register(channel, this);
            keys.put(mine, known);
        }
        return known;
    }

    /** Called by the key's loop. */
    private void watch(SelectionKey asked) {
        if (asked.equals(key)) {
            setInterest(asked, wanted);
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

    /** Called by the key's loop. If the channel has moved away and back meanwhile, its thread waits for it here. */
    private void unwatch(SelectionKey left) {
        setInterest(left, left.equals(key) && waiter.get() != null ? wanted : 0);
    }

    private static void setInterest(SelectionKey key, int operation) {
        try {
            key.interestOps(operation);
        } catch (CancelledKeyException e) {
            return; // closed meanwhile, by another thread
        }
    }

    /** Lets each other thread of the loop that can continue run once. */
    @SuppressWarnings("ThreadPriorityCheck") // on a loop this is not just a hint: the others do run first
    public void yieldToOthers() {
        Thread.yield();
    }

    /**
     * Closes the channel, and wakes the thread that waits for it. A thread that is on no loop does not wait until that has happened:
     * it may be ending a run whose loop hangs.
     */
    @Override
    public void close() throws IOException {
        if (EventLoop.current() == null) {
            loop.change(this::closeUnheard);
        } else {
            loop.call(() -> {
                closeNow();
                return null;
            });
        }
    }

    /** Nobody waits to hear of a failure, after which the channel is of no more use than a closed one. */
    private void closeUnheard() {
        try {
            closeNow();
        } catch (IOException e) {
            return;
        }
    }

    private void closeNow() throws IOException {
        try {
            channel.close();
        } finally {
            keys.keySet().forEach(EventLoop::wake); // each then ends its registration; the last one frees the channel
            LockSupport.unpark(waiter.get());
        }
    }
}
