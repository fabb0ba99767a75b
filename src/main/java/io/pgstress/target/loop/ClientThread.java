package io.pgstress.target.loop;

import org.jspecify.annotations.Nullable;

/**
 * The thread that a client is on. On an event loop, a client continues on a new thread after {@value #FIRST_MOVE} operations, and
 * then after {@value #MOVE_FACTOR} times as many each time. What is at the bottom of a thread's stack was entered before it was
 * compiled, and stays interpreted as long as the thread lives. To switch between such threads takes the JVM several times as long
 * (HotSpot's {@code Thaw::thaw_slow}). Belongs to its client, except {@link #interrupt}.
 */
public final class ClientThread {
    private static final long FIRST_MOVE = 100;
    private static final int MOVE_FACTOR = 3;

    private final Runnable client;
    private final LoadThreads threads;
    private @Nullable Thread current;
    private boolean isInterrupted;
    private long lastMove = FIRST_MOVE;
    private long untilMove = FIRST_MOVE;

    /** @param client continues its work each time that it is run */
    public ClientThread(Runnable client, LoadThreads threads) {
        this.client = client;
        this.threads = threads;
    }

    /** Called first on each thread. */
    public synchronized void enter() {
        current = Thread.currentThread();
        if (isInterrupted) {
            current.interrupt();
        }
    }

    /** Called after each operation; returns whether the client continues on another thread, so that this one has to end. */
    public boolean movesOn() {
        return --untilMove == 0 && move();
    }

    private boolean move() {
        lastMove *= MOVE_FACTOR;
        untilMove = lastMove;
        return threads.continueAnew(client);
    }

    /** Where the client's current thread is; empty if it has none. Any thread may ask. */
    public synchronized StackTraceElement[] stack() {
        return current == null ? new StackTraceElement[0] : current.getStackTrace();
    }

    /** Interrupts the client on its current thread and later ones; one that has not started will find itself interrupted. */
    public synchronized void interrupt() {
        isInterrupted = true;
        if (current != null) {
            current.interrupt();
        }
    }
}
