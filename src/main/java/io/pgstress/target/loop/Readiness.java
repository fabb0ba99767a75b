package io.pgstress.target.loop;

import io.pgstress.target.loop.EventLoop.Place;
import io.pgstress.target.loop.Polling.Exchange;
import java.io.Closeable;
import java.io.IOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Lets a thread wait until a channel can be read or written. The loop of the waiting thread watches the channel, which stays
 * registered, so that a wait needs no system call of its own. One thread at a time, as for a connection; any thread may close.
 */
public final class Readiness implements Closeable {
    private static final long LOOK_NANOS = 1_000_000;

    private final SelectableChannel channel;
    private final ExchangeBuffers buffers = new ExchangeBuffers();

    /** Where the channel is used. */
    private volatile Place place;

    /** Its places at each loop on which it was used. Changed by one thread at a time, read by loops. */
    private final Map<EventLoop, Place> places = new ConcurrentHashMap<>();

    /** What the last thread that waited waits for. */
    private volatile int wanted;

    private final AtomicReference<@Nullable Thread> waiter = new AtomicReference<>();

    /** The last thread that waited; used by one thread at a time. */
    private @Nullable Thread last;

    private boolean isOnLoop;

    /** Whether something that the loop sends may not have been sent; used by one thread at a time. */
    private boolean isUnsent;

    private final AtomicBoolean isReceiving = new AtomicBoolean();

    private Readiness(SelectableChannel channel, EventLoop loop) throws IOException {
        this.channel = channel;
        channel.configureBlocking(false);
        this.place = at(loop);
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
                if (!parks(me, start, nanos)) {
                    return false;
                }
            }
            if (isOnLoop) {
                place.loop().waits().goesOn();
            }
            return true;
        } catch (CancelledKeyException e) {
            throw new IOException("Socket closed", e);
        } finally {
            waiter.set(null);
        }
    }

    /** Waits until the thread is woken, maybe in vain; returns false if its time is over. */
    private boolean parks(Thread me, long start, long nanos) throws IOException {
        if (!channel.isOpen() || place.loop().hasEnded()) {
            throw new SocketException("Socket closed");
        }
        if (me.isInterrupted()) {
            close();
            throw new SocketException("Closed by interrupt");
        }
        if (nanos == 0) {
            LockSupport.park(this);
            return true;
        }
        long left = nanos - (System.nanoTime() - start);
        if (left > 0) {
            LockSupport.parkNanos(this, left);
        }
        return left > 0;
    }

    /**
     * Waits until something has arrived, and reads it if the loop does so for its threads.
     *
     * @param nanos the time limit; 0: none
     * @return number of bytes; -1 at the end of the stream; 0 if the channel can be read and the thread has to do so
     * @throws SocketTimeoutException if the time limit was reached
     */
    public int receive(ByteBuffer to, long nanos) throws IOException {
        Thread me = Thread.currentThread();
        Exchange exchange = here(me);
        if (exchange == null) {
            if (!await(SelectionKey.OP_READ, nanos)) {
                throw new SocketTimeoutException("Read timed out");
            }
            return 0;
        }
        Place current = place;
        isReceiving.lazySet(true);
        try {
            if (current.key().interestOps() != 0) { // since the socket was connected
                current.loop().change(() -> unwatch(current.key()));
            }
            await(exchange, to.remaining(), me, nanos);
            current.loop().waits().goesOn();
            isUnsent = exchange.isUnsent();
            return exchange.take(to);
        } catch (CancelledKeyException e) {
            throw new IOException("Socket closed", e);
        } finally {
            isReceiving.lazySet(false);
        }
    }

    private void await(Exchange exchange, int bytes, Thread me, long nanos) throws IOException {
        long start = nanos == 0 ? 0 : System.nanoTime();
        long limit = nanos;
        exchange.receive(me, bytes);
        while (!exchange.hasReceived()) {
            if (!parks(me, start, limit)) {
                exchange.cancel();
                limit = 0; // until the kernel has let go of the memory
            }
        }
    }

    /** Sends all these bytes if the loop does so for its threads, and returns whether. */
    public boolean send(ByteBuffer from) throws IOException {
        Exchange exchange = here(Thread.currentThread());
        boolean isTaken = exchange != null && exchange.send(from);
        isUnsent |= isTaken;
        return isTaken;
    }

    /**
     * Waits until everything is sent that the loop was given to send. A thread that writes itself has to call it before. One that
     * closes the connection while another one uses it does not wait: the loop may hang.
     */
    public void flush() throws IOException {
        Exchange exchange = place.exchange();
        if (exchange != null && isUnsent && !isReceiving.get()) {
            while (place.loop().call(() -> isUnsentAfterFlush(exchange))) {
                parks(Thread.currentThread(), System.nanoTime(), LOOK_NANOS);
            }
            isUnsent = false;
        }
    }

    private static boolean isUnsentAfterFlush(Exchange exchange) throws IOException {
        exchange.flush();
        return exchange.isUnsent();
    }

    /** What sends and receives for this thread; null if it has to do so itself. */
    private @Nullable Exchange here(Thread me) throws IOException {
        if (me != last) { // a thread stays on its loop
            last = me;
            moveTo(EventLoop.current());
        }
        return isOnLoop ? place.exchange() : null;
    }

    private void watch(Thread me, int operation) throws IOException {
        here(me);
        wanted = operation;
        Place current = place;
        if (current.key().interestOps() != operation) {
            current.loop().change(() -> watch(current));
        }
    }

    private void moveTo(@Nullable EventLoop mine) throws IOException {
        isOnLoop = mine != null;
        Place left = place;
        if (left.loop().equals(mine)) {
            return;
        }
        flush();
        if (mine != null) {
            left.loop()
                    .changeLater(
                            () -> unwatch(left.key())); // until then it may find the channel ready, once and in vain
            place = at(mine);
        }
    }

    private Place at(EventLoop mine) throws IOException {
        Place known = places.get(mine);
        if (known == null) {
            known = mine.register(channel, buffers, this);
            places.put(mine, known);
        }
        return known;
    }

    /** Called by the place's loop. */
    private void watch(Place asked) {
        if (asked.equals(place)) {
            setInterest(asked.key(), wanted);
        }
    }

    /** Called by the loop. A channel that is ready while no thread waits is not watched until one does, or the loop would never rest. */
    void ready(SelectionKey found) {
        if (!found.equals(place.key())) {
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
        setInterest(left, left.equals(place.key()) && waiter.get() != null ? wanted : 0);
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
        EventLoop loop = place.loop();
        if (EventLoop.current() == null) {
            loop.change(() -> closeUnheard(loop));
        } else {
            loop.call(() -> {
                closeNow(loop);
                return null;
            });
        }
    }

    /** Nobody waits to hear of a failure, after which the channel is of no more use than a closed one. */
    private void closeUnheard(EventLoop loop) {
        try {
            closeNow(loop);
        } catch (IOException e) {
            return;
        }
    }

    /** Called by this loop. */
    private void closeNow(EventLoop loop) throws IOException {
        try {
            leave(places.get(loop));
        } finally {
            try {
                channel.close();
            } finally {
                for (Place each : places.values()) { // each then ends its registration; the last one frees the channel
                    each.loop().change(() -> leaveUnheard(each));
                }
                LockSupport.unpark(waiter.get());
            }
        }
    }

    private static void leave(@Nullable Place left) throws IOException {
        Exchange exchange = left == null ? null : left.exchange();
        if (exchange != null) {
            exchange.close();
        }
    }

    private static void leaveUnheard(Place left) {
        try {
            leave(left);
        } catch (IOException e) {
            return; // see closeUnheard
        }
    }
}
