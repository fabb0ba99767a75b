package io.pgstress.report.page;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The latest events of a run. A reader has no queue: it asks for what follows the event that it received last, and misses what has
 * been dropped by then. Thus, readers never hold up the writer, and their number costs no memory. Thread-safe.
 */
final class EventLog {
    /** Older events are dropped: with intervals of a second, those of more than an hour ago. */
    static final int CAPACITY = 4_000;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition added = lock.newCondition();
    private final Deque<Event> events = new ArrayDeque<>();
    private @Nullable Event state;
    private long last;
    private boolean closed;

    /**
     * An event, as in the HTML standard's section on server-sent events.
     *
     * @param id ascending from 1
     * @param data one line
     */
    record Event(long id, String name, String data) {
        byte[] bytes() {
            return ("id: " + id + "\nevent: " + name + "\ndata: " + data + "\n\n").getBytes(StandardCharsets.UTF_8);
        }
    }

    /** Adds an event; after {@link #close} it does nothing. */
    void add(String name, String data) {
        append(name, data, false);
    }

    /** Adds an event that replaces the earlier one that this method added. */
    void replace(String name, String data) {
        append(name, data, true);
    }

    private void append(String name, String data, boolean isState) {
        lock.lock();
        try {
            if (closed) {
                return;
            }
            Event event = new Event(++last, name, data);
            if (isState) {
                state = event;
            } else {
                if (events.size() == CAPACITY) {
                    events.removeFirst();
                }
                events.addLast(event);
            }
            added.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** The events after this id, in order; waits for one at most so long, or until the log is closed. */
    List<Event> after(long id, long millis) throws InterruptedException {
        lock.lock();
        try {
            long rest = TimeUnit.MILLISECONDS.toNanos(millis);
            while (last <= id && !closed && rest > 0) {
                rest = added.awaitNanos(rest);
            }
            List<Event> found = new ArrayList<>();
            events.stream().filter(e -> e.id() > id).forEach(found::add);
            Event now = state;
            if (now != null && now.id() > id) {
                found.add(now);
                found.sort(Comparator.comparingLong(Event::id));
            }
            return found;
        } finally {
            lock.unlock();
        }
    }

    /** Ends it: readers receive what they have not received yet. */
    void close() {
        lock.lock();
        try {
            closed = true;
            added.signalAll();
        } finally {
            lock.unlock();
        }
    }

    boolean isClosed() {
        lock.lock();
        try {
            return closed;
        } finally {
            lock.unlock();
        }
    }
}
