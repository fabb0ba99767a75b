package io.pgstress.report.page;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import io.pgstress.report.live.HttpEndpoint;
import io.pgstress.report.page.HtmlReport.PageData;
import io.pgstress.result.IntervalResult;
import io.pgstress.result.RunResult;
import io.pgstress.text.Json;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Serves the page of a run: while it goes on, a page that follows it; then, the page of its result. The methods that report
 * the run are called by one thread at a time and never wait for a browser.
 */
public final class LiveServer implements AutoCloseable {
    private static final String PREPARING = "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">"
            + "<meta http-equiv=\"refresh\" content=\"1\"><title>pgstress: preparing</title></head>"
            + "<body><p>pgstress is preparing the run. This page reloads itself.</p></body></html>\n";

    /** The figures so far are not sent more often; a little less than a second, so that intervals of a second all count. */
    private static final long STATE_NANOS = TimeUnit.MILLISECONDS.toNanos(900);

    /** Streams of events: each takes a thread, which may hang if its browser does not read; more are refused. */
    private static final int MAX_READERS = 32;

    /** After so long without an event, a comment finds out whether the browser is still there. */
    private static final long BEAT_MILLIS = 10_000;

    private static final long END_SECONDS = 2;
    private static final int NO_BODY = -1;

    private final HttpEndpoint http;
    private final EventLog log = new EventLog();
    private final Semaphore freeStreams = new Semaphore(MAX_READERS);
    private volatile @Nullable LiveRun run;
    private volatile @Nullable RunResult ended;
    private long stateAt = System.nanoTime() - STATE_NANOS;

    /**
     * Starts the server.
     *
     * @param host name or address to listen on; empty: the loopback interface only
     * @param port 0: any free port
     * @throws IOException if the server cannot listen there; the message names the address
     */
    public LiveServer(String host, int port) throws IOException {
        this.http = HttpEndpoint.start(host, port, "/", this::handle);
    }

    /** The page's address. */
    public String url() {
        return http.url();
    }

    /** The load is about to begin; {@code known} has no figures. */
    public void begins(RunResult known) {
        run = new LiveRun(known);
    }

    private record PhaseEvent(String phase, double seconds) {}

    /** A phase begins; {@code seconds} is its planned length, 0 if unknown. */
    public void phase(String phase, double seconds) {
        log.add("phase", Json.writeLine(new PhaseEvent(phase, seconds)));
    }

    /** An interval has ended. */
    public void interval(IntervalResult interval) {
        log.add("interval", Json.writeLine(interval.withoutHistograms()));
        LiveRun current = run;
        if (current == null) {
            return;
        }
        current.add(interval);
        long now = System.nanoTime();
        if (freeStreams.availablePermits() < MAX_READERS && now - stateAt >= STATE_NANOS) {
            stateAt = now;
            log.replace("state", current.json());
        }
    }

    /** The run has ended; from now on, the page is the one that {@link HtmlReport} writes, on open pages too. */
    public void ends(RunResult result) {
        ended = result;
        log.add("end", PageData.of(List.of(result)).json());
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            String path = exchange.getRequestURI().getPath();
            if (!List.of("GET", "HEAD").contains(exchange.getRequestMethod())) {
                exchange.getResponseHeaders().set("Allow", "GET, HEAD");
                answer(exchange, 405, "text/plain", "Only GET and HEAD.\n");
            } else if (path.equals("/")) {
                answer(exchange, 200, "text/html", page());
            } else if (path.equals("/events")) {
                LiveRun current = run;
                events(exchange, current == null ? "" : current.id());
            } else {
                answer(exchange, 404, "text/plain", "Nothing is here; the page is at /.\n");
            }
        }
    }

    /**
     * Writes events until the log is closed or the browser is gone. A page of an earlier run is told not to come back.
     *
     * @param id of the run; a request may name another one by {@code ?run=}
     */
    private void events(HttpExchange exchange, String id) throws IOException {
        String query = exchange.getRequestURI().getQuery();
        if (query != null && !query.equals("run=" + id)) {
            exchange.sendResponseHeaders(204, NO_BODY);
        } else if (!freeStreams.tryAcquire()) {
            exchange.sendResponseHeaders(503, NO_BODY);
        } else {
            try {
                secure(exchange.getResponseHeaders(), "text/event-stream");
                boolean isHead = exchange.getRequestMethod().equals("HEAD");
                exchange.sendResponseHeaders(200, isHead ? NO_BODY : 0);
                if (!isHead) {
                    write(exchange);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt(); // the server ends
            } finally {
                freeStreams.release();
            }
        }
    }

    private void write(HttpExchange exchange) throws IOException, InterruptedException {
        String received = exchange.getRequestHeaders().getFirst("Last-Event-ID"); // before it lost the connection
        long last = received != null && received.matches("\\d{1,18}") ? Long.parseLong(received) : 0;
        try (OutputStream out = exchange.getResponseBody()) {
            out.write("retry: 1000\n\n".getBytes(StandardCharsets.UTF_8));
            while (true) {
                out.flush();
                boolean isLast = log.isClosed();
                List<EventLog.Event> events = log.after(last, BEAT_MILLIS);
                for (EventLog.Event event : events) {
                    out.write(event.bytes());
                    last = event.id();
                }
                if (events.isEmpty()) {
                    if (isLast) {
                        return;
                    }
                    out.write(":\n\n".getBytes(StandardCharsets.UTF_8));
                }
            }
        }
    }

    /** Waits until every stream has ended, at most two seconds; the log must be closed. */
    private void awaitStreams() {
        try {
            if (freeStreams.tryAcquire(MAX_READERS, END_SECONDS, TimeUnit.SECONDS)) {
                freeStreams.release(MAX_READERS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the command ends at once
        }
    }

    private String page() throws IOException {
        RunResult result = ended;
        LiveRun current = run;
        StringBuilder page = new StringBuilder();
        if (result != null) {
            new HtmlReport().write(List.of(result), page);
        } else if (current != null) {
            current.write(page);
        } else {
            page.append(PREPARING);
        }
        return page.toString();
    }

    private static void answer(HttpExchange exchange, int code, String type, String text) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        secure(exchange.getResponseHeaders(), type);
        boolean isHead = exchange.getRequestMethod().equals("HEAD");
        exchange.sendResponseHeaders(code, isHead ? NO_BODY : body.length);
        if (!isHead) {
            try (OutputStream out = exchange.getResponseBody()) {
                out.write(body);
            }
        }
    }

    /** No other site may frame the page, load it as a script, or learn its address; nothing is kept. */
    private static void secure(Headers headers, String type) {
        headers.set("Content-Type", type + "; charset=utf-8");
        headers.set("Cache-Control", "no-store");
        headers.set("X-Content-Type-Options", "nosniff");
        headers.set("X-Frame-Options", "DENY");
        headers.set("Cross-Origin-Resource-Policy", "same-origin");
        headers.set("Referrer-Policy", "no-referrer");
    }

    /** Ends the server after open pages have received the last events, at most two seconds later. */
    @Override
    public void close() {
        log.close();
        awaitStreams();
        http.close();
    }

    /**
     * The latest events of a run. A reader has no queue: it asks for what follows the event that it received last, and misses what has
     * been dropped by then. Thus, readers never hold up the writer, and their number costs no memory. Thread-safe.
     */
    static final class EventLog {
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
}
