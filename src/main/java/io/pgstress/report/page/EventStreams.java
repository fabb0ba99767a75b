package io.pgstress.report.page;

import com.sun.net.httpserver.HttpExchange;
import io.pgstress.report.page.EventLog.Event;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** The open streams of events, each written by a thread of its own, which may hang if its browser does not read. Thread-safe. */
final class EventStreams {
    /** Each takes a thread; more are refused. */
    static final int MAX_READERS = 32;

    /** After so long without an event, a comment finds out whether the browser is still there. */
    private static final long BEAT_MILLIS = 10_000;

    private static final long END_SECONDS = 2;
    private static final int NO_BODY = -1;

    private final EventLog log;
    private final Semaphore free = new Semaphore(MAX_READERS);

    EventStreams(EventLog log) {
        this.log = log;
    }

    boolean hasReaders() {
        return free.availablePermits() < MAX_READERS;
    }

    /**
     * Writes events until the log is closed or the browser is gone. A page of an earlier run is told not to come back.
     *
     * @param run id of the run; a request may name another one by {@code ?run=}
     */
    void serve(HttpExchange exchange, String run) throws IOException {
        String query = exchange.getRequestURI().getQuery();
        if (query != null && !query.equals("run=" + run)) {
            exchange.sendResponseHeaders(204, NO_BODY);
        } else if (!free.tryAcquire()) {
            exchange.sendResponseHeaders(503, NO_BODY);
        } else {
            try {
                LiveServer.secure(exchange.getResponseHeaders(), "text/event-stream");
                boolean isHead = exchange.getRequestMethod().equals("HEAD");
                exchange.sendResponseHeaders(200, isHead ? NO_BODY : 0);
                if (!isHead) {
                    write(exchange, lastId(exchange));
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt(); // the server ends
            } finally {
                free.release();
            }
        }
    }

    /** The id of the last event that a browser received before it lost the connection; 0 if none or not a number. */
    private static long lastId(HttpExchange exchange) {
        String id = exchange.getRequestHeaders().getFirst("Last-Event-ID");
        return id != null && id.matches("\\d{1,18}") ? Long.parseLong(id) : 0;
    }

    private void write(HttpExchange exchange, long from) throws IOException, InterruptedException {
        long last = from;
        try (OutputStream out = exchange.getResponseBody()) {
            text(out, "retry: 1000\n\n");
            while (true) {
                boolean isLast = log.isClosed();
                List<Event> events = log.after(last, BEAT_MILLIS);
                for (Event event : events) {
                    out.write(event.bytes());
                    last = event.id();
                }
                if (events.isEmpty()) {
                    if (isLast) {
                        return;
                    }
                    text(out, ":\n\n");
                }
                out.flush();
            }
        }
    }

    private static void text(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
        out.flush();
    }

    /** Waits until every stream has ended, at most two seconds; the log must be closed. */
    void awaitEnd() {
        try {
            if (free.tryAcquire(MAX_READERS, END_SECONDS, TimeUnit.SECONDS)) {
                free.release(MAX_READERS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the command ends at once
        }
    }
}
