package io.pgstress.target.loop;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One platform thread that runs virtual threads, as the executor of their continuations. When none of them can continue, it
 * waits for all their sockets with one call ({@link Polling}). The JDK's own scheduler passes each such wait to another thread, and each answer
 * back. Thread-safe.
 *
 * <p>Only the loop's own thread touches its selector and closes channels: all other threads, its virtual threads included, hand it
 * {@link #change changes}. Otherwise the thread and one of its virtual threads could wait for the same monitor of the selector. If
 * the virtual thread is the next owner, it can go on only on the thread that is blocked, and the loop hangs. For the same reason, a
 * virtual thread never wakes another loop itself: a selector's wakeup takes a monitor, too. (The JDK pins a virtual thread while it
 * calls a scheduler's {@link #execute} for this very reason; see {@code VirtualThread.submitRunContinuation}.)
 */
final class EventLoop implements Executor {
    /** The beginning of its thread's name. */
    static final String NAME = "loop-";

    private static final ThreadLocal<@Nullable EventLoop> CURRENT = new ThreadLocal<>();

    private final Polling polling;

    /** Threads to run in the next turn; used by the loop's own thread only. */
    private final ArrayDeque<Runnable> next = new ArrayDeque<>();

    /** Changes that its own virtual threads asked for. All of them run on the loop's thread, so this needs no lock. */
    private final ArrayDeque<Runnable> changes = new ArrayDeque<>();

    /** Threads that became runnable while another thread ran, also one of this loop's own. */
    private final Queue<Runnable> arrived = new ConcurrentLinkedQueue<>();

    /** Changes that other threads asked for. */
    private final Queue<Runnable> requested = new ConcurrentLinkedQueue<>();

    private final AtomicBoolean isWaiting = new AtomicBoolean();
    private final AtomicInteger alive = new AtomicInteger();
    private final ThreadFactory threads = VirtualThreads.on(this);
    private final Thread thread;
    private final Consumer<Throwable> broke;
    private volatile boolean isClosed;
    private volatile boolean hasEnded;

    private final TurnWaits waits = new TurnWaits();

    /** @param broke called if the loop fails, in which case its clients hang */
    EventLoop(int number, Polling.Opener opener, Consumer<Throwable> broke) {
        this.broke = broke;
        try {
            polling = opener.open(EventLoop::ready, waits);
        } catch (IOException e) {
            throw new UncheckedIOException("no selector could be opened", e);
        }
        thread = new Thread(this::run, NAME + number);
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** The loop of the calling thread; null if it has none. */
    static @Nullable EventLoop current() {
        return CURRENT.get();
    }

    /** A new virtual thread that runs on this loop only, not started yet. */
    Thread newThread(Runnable task) {
        return threads.newThread(() -> {
            alive.incrementAndGet();
            CURRENT.set(this);
            try {
                task.run();
            } finally {
                alive.decrementAndGet();
            }
        });
    }

    @Override
    public void execute(Runnable continuation) {
        if (Thread.currentThread() == thread) { // the loop is polling, or the continuation has just yielded
            next.add(continuation);
        } else {
            arrived.add(continuation);
            wake();
        }
    }

    /**
     * Lets the loop's thread do something that only it may do, soon and in the order of the calls of one thread. A loop that has ended
     * has no thread and no selector any more: the caller's own thread then does it.
     */
    void change(Runnable change) {
        EventLoop mine = current();
        if (mine == null) {
            submit(change);
        } else if (mine.equals(this)) {
            changes.add(change);
        } else {
            mine.changes.add(() -> submit(change));
        }
    }

    /** Like {@link #change}, but without waking the loop: it happens once something else has. */
    void changeLater(Runnable change) {
        requested.add(change);
    }

    private void submit(Runnable change) {
        requested.add(change);
        wake();
        if (hasEnded) {
            runAll(requested); // what arrives at the end is run by whoever finds it
        }
    }

    private void runAll(Queue<Runnable> changes) {
        Runnable change;
        while ((change = changes.poll()) != null) {
            change.run();
            polling.changed();
        }
    }

    /** Lets the loop's thread do something, as {@link #change} does, and waits until it is done. Interrupts are kept for later. */
    <T> T call(Callable<T> task) throws IOException {
        FutureTask<T> done = new FutureTask<>(task);
        change(done);
        boolean isInterrupted = false;
        try {
            while (true) {
                try {
                    return done.get();
                } catch (InterruptedException e) {
                    isInterrupted = true;
                }
            }
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException failed) {
                throw failed;
            }
            throw new IllegalStateException(e.getCause());
        } finally {
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * A channel at this loop.
     *
     * @param exchange what sends and receives for it; null if threads do so themselves
     */
    record Place(EventLoop loop, SelectionKey key, Polling.@Nullable Exchange exchange) {}

    /** Registers a non-blocking channel; nothing is awaited yet. */
    Place register(SelectableChannel channel, ExchangeBuffers buffers, Readiness readiness) throws IOException {
        return call(() -> new Place(this, polling.register(channel, readiness), polling.exchange(channel, buffers)));
    }

    /** Whether nothing is awaited by this loop any more. */
    boolean hasEnded() {
        return hasEnded;
    }

    /** How it waits. */
    Polling polling() {
        return polling;
    }

    /** The waits of its threads for their turn. */
    TurnWaits waits() {
        return waits;
    }

    /** Wakes the loop if it is waiting in a poll. Not for virtual threads of loops, except within {@link #execute}. */
    void wake() {
        if (isWaiting.get() && isWaiting.compareAndSet(true, false)) {
            polling.wake();
        }
    }

    private void run() {
        try (polling) {
            polling.begin();
            while (!isOver()) {
                turn();
                poll();
            }
        } catch (IOException | RuntimeException | Error e) {
            broke.accept(e);
        } finally {
            hasEnded = true;
            runAll(requested);
        }
    }

    /** Runs each thread that can continue once, in the order in which they became able to. */
    private void turn() {
        runAll(requested);
        Runnable other;
        while ((other = arrived.poll()) != null) {
            next.add(other);
        }
        for (int left = next.size(); left > 0; left--) { // those that yield meanwhile run after the next poll
            next.remove().run();
            runAll(changes);
            runAll(requested); // a turn may last, if a thread of the loop resolves a name, for example
        }
    }

    private boolean hasRunnable() {
        return !next.isEmpty() || !arrived.isEmpty() || !requested.isEmpty();
    }

    private boolean isOver() {
        return isClosed && alive.get() == 0 && !hasRunnable();
    }

    private void poll() throws IOException {
        waits.looks();
        polling.refresh();
        if (hasRunnable()) {
            polling.poll(false);
            return;
        }
        isWaiting.set(true);
        if (arrived.isEmpty() && requested.isEmpty() && !isOver()) {
            polling.poll(true);
        }
        isWaiting.set(false);
        waits.found();
    }

    private static void ready(SelectionKey key) {
        ((Readiness) key.attachment()).ready(key);
    }

    /** Ends the loop after its threads have ended. It continues until then, because otherwise locks would never be released. */
    void close() {
        isClosed = true;
        wake();
    }
}
