package io.pgstress.report.page;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The latest events of a run. A reader has no queue: it asks for what follows the event that it received last, and misses what has
 * been dropped by then. Thus, readers never hold up the writer, and their number costs no memory. Thread-safe.
 */
final class EventLog {
    /** Older events are dropped: with intervals of a second, those of more than an hour ago. */
    static final int CAPACITY = 4_000;

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
    synchronized void add(String name, String data) {
        if (!closed) {
            if (events.size() == CAPACITY) {
                events.removeFirst();
            }
            events.addLast(new Event(++last, name, data));
            notifyAll();
        }
    }

    /** Adds an event that replaces the earlier one that this method added. */
    synchronized void replace(String name, String data) {
        if (!closed) {
            state = new Event(++last, name, data);
            notifyAll();
        }
    }

    /** The events after this id, in order; waits for one at most so long, or until the log is closed. */
    synchronized List<Event> after(long id, long millis) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        for (long left = millis; last <= id && !closed && left > 0; ) {
            wait(left);
            left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
        }
        return Stream.concat(events.stream(), Stream.ofNullable(state))
                .filter(event -> event.id() > id)
                .sorted(Comparator.comparingLong(Event::id))
                .toList();
    }

    /** Ends it: readers receive what they have not received yet. */
    synchronized void close() {
        closed = true;
        notifyAll();
    }

    synchronized boolean isClosed() {
        return closed;
    }
}
