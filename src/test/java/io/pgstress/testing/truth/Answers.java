package io.pgstress.testing.truth;

import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Sends every answer when it is due, on one thread. The thread parks until shortly before the next answer and spins for the
 * rest, because threads wake up 50 us late or more (Linux's timer slack, see prctl(2), PR_SET_TIMERSLACK). If it has a core of its own,
 * it never parks and also reads what clients send, so that no statement waits for the wake-up of another thread.
 */
final class Answers implements AutoCloseable {
    private static final long SPIN_NANOS = 120_000;

    /** An answer and its receiver; {@code due} is an instant of {@link System#nanoTime}. */
    record Answer(long due, ClientConnection client, Reply reply, ServiceLog log, int number) {}

    private final PriorityQueue<Answer> queue = new PriorityQueue<>(Comparator.comparingLong(Answer::due));
    private final List<ClientConnection> polled = new CopyOnWriteArrayList<>();
    private final boolean hasCore;
    private final Thread thread = new Thread(this::run, "truth-answers");
    private volatile boolean closed;

    /** @param hasCore whether it may use a core all the time, and then reads from the clients, too */
    Answers(boolean hasCore) {
        this.hasCore = hasCore;
        thread.setDaemon(true);
        thread.start();
    }

    void add(Answer answer) {
        boolean isNext;
        synchronized (queue) {
            Answer next = queue.peek();
            isNext = next == null || answer.due < next.due;
            queue.add(answer);
        }
        if (isNext) {
            LockSupport.unpark(thread);
        }
    }

    /** Lets a client's messages be read on this thread; returns false if its own thread has to. */
    boolean poll(ClientConnection client) {
        return hasCore && polled.add(client);
    }

    void forget(ClientConnection client) {
        polled.remove(client);
    }

    /** Withdraws the answer that a client is waiting for; returns whether there was one. */
    boolean cancel(ClientConnection client) {
        synchronized (queue) {
            return queue.removeIf(a -> a.client == client);
        }
    }

    private void run() {
        while (!closed) {
            long wait = waitNanos();
            if (wait <= 0) {
                giveNext();
            }
            if (hasCore) {
                polled.forEach(ClientConnection::readIfSent);
            } else if (wait > SPIN_NANOS) {
                LockSupport.parkNanos(this, wait - SPIN_NANOS);
            } else if (wait > 0) {
                Thread.onSpinWait();
            }
        }
    }

    private long waitNanos() {
        synchronized (queue) {
            Answer next = queue.peek();
            return next == null ? Long.MAX_VALUE : next.due - System.nanoTime();
        }
    }

    private void giveNext() {
        Answer next = poll();
        if (next != null) {
            next.log.answer(next.number, System.nanoTime());
            next.client.send(next.reply);
        }
    }

    private @Nullable Answer poll() {
        synchronized (queue) {
            return queue.poll();
        }
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
    }
}
