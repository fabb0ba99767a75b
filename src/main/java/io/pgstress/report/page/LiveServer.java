package io.pgstress.report.page;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.pgstress.result.IntervalResult;
import io.pgstress.result.RunResult;
import io.pgstress.text.Json;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
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

    private final InetAddress address;
    private final HttpServer http;
    private final Access access;
    private final EventLog log = new EventLog();
    private final EventStreams streams = new EventStreams(log);
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "live-page");
        thread.setDaemon(true);
        return thread;
    });
    private volatile @Nullable LiveRun run;
    private volatile @Nullable RunResult ended;
    private long stateAt = System.nanoTime() - STATE_NANOS;

    private LiveServer(InetAddress address, HttpServer http, Access access) {
        this.address = address;
        this.http = http;
        this.access = access;
    }

    /**
     * Starts the server.
     *
     * @param host name or address to listen on; empty: the loopback interface only
     * @param port 0: any free port
     * @throws IOException if the server cannot listen there; the message names the address
     */
    public static LiveServer start(String host, int port) throws IOException {
        InetAddress address = host.isEmpty() ? InetAddress.getLoopbackAddress() : InetAddress.getByName(host);
        try {
            HttpServer http = HttpServer.create(new InetSocketAddress(address, port), 0);
            LiveServer server = new LiveServer(address, http, new Access(host));
            http.setExecutor(server.threads);
            http.createContext("/", server::handle);
            http.start();
            return server;
        } catch (IOException e) {
            throw new IOException(
                    "cannot listen on " + address.getHostAddress() + ":" + port + ": " + e.getMessage(), e);
        }
    }

    /** The page's address. */
    public String url() {
        String host = address.getHostAddress();
        return "http://" + (host.contains(":") ? "[" + host + "]" : host) + ":"
                + http.getAddress().getPort() + "/";
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
        if (streams.hasReaders() && now - stateAt >= STATE_NANOS) {
            stateAt = now;
            log.replace("state", current.json());
        }
    }

    /** The run has ended; from now on, the page is the one that {@link HtmlReport} writes, on open pages too. */
    public void ends(RunResult result) {
        ended = result;
        log.add("end", LiveRun.json(result));
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            String path = exchange.getRequestURI().getPath();
            if (!access.isAllowed(exchange)) {
                answer(
                        exchange,
                        403,
                        "text/plain",
                        "Use the address of this server, or the name that --live-host gave it.\n");
            } else if (!List.of("GET", "HEAD").contains(exchange.getRequestMethod())) {
                exchange.getResponseHeaders().set("Allow", "GET, HEAD");
                answer(exchange, 405, "text/plain", "Only GET and HEAD.\n");
            } else if (path.equals("/")) {
                answer(exchange, 200, "text/html", page());
            } else if (path.equals("/events")) {
                LiveRun current = run;
                streams.serve(exchange, current == null ? "" : current.id());
            } else {
                answer(exchange, 404, "text/plain", "Nothing is here; the page is at /.\n");
            }
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
        exchange.sendResponseHeaders(code, isHead ? -1 : body.length);
        if (!isHead) {
            try (OutputStream out = exchange.getResponseBody()) {
                out.write(body);
            }
        }
    }

    /** No other site may frame the page, load it as a script, or learn its address; nothing is kept. */
    static void secure(Headers headers, String type) {
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
        streams.awaitEnd();
        http.stop(0);
        threads.shutdownNow();
    }
}
