package io.pgstress.metrics;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Serves {@code /metrics} to Prometheus for as long as a run lasts. */
public final class MetricsServer implements AutoCloseable {
    private static final String PATH = "/metrics";
    private static final String TYPE = "text/plain; version=0.0.4; charset=utf-8";

    private final HttpServer server;
    private final ExecutorService thread;

    private MetricsServer(HttpServer server, ExecutorService thread) {
        this.server = server;
        this.thread = thread;
    }

    /**
     * Starts to serve.
     *
     * @param host a host's name or address to listen on; empty: the loopback interface only
     * @param port 0: any that is free
     * @throws IOException where that cannot be listened on; the message names it
     */
    public static MetricsServer start(String host, int port, RunMetrics metrics) throws IOException {
        InetAddress address = host.isEmpty() ? InetAddress.getLoopbackAddress() : InetAddress.getByName(host);
        HttpServer server;
        try {
            server = HttpServer.create(new InetSocketAddress(address, port), 0);
        } catch (IOException e) {
            throw new IOException("--prometheus: cannot listen on " + address + ":" + port + ": " + e.getMessage(), e);
        }
        ExecutorService thread = Executors.newSingleThreadExecutor(work -> {
            Thread daemon = new Thread(work, "metrics");
            daemon.setDaemon(true);
            return daemon;
        });
        server.setExecutor(thread);
        server.createContext("/", exchange -> answer(exchange, metrics));
        server.start();
        return new MetricsServer(server, thread);
    }

    private static void answer(HttpExchange exchange, RunMetrics metrics) throws IOException {
        try (exchange) {
            boolean head = exchange.getRequestMethod().equals("HEAD");
            if (!head && !exchange.getRequestMethod().equals("GET")) {
                exchange.sendResponseHeaders(405, -1);
            } else if (!exchange.getRequestURI().getPath().equals(PATH)) {
                exchange.sendResponseHeaders(404, -1);
            } else {
                byte[] body = metrics.scrape().getBytes(StandardCharsets.UTF_8);
                exchange.getResponseHeaders().set("Content-Type", TYPE);
                exchange.sendResponseHeaders(200, head ? -1 : body.length);
                if (!head) {
                    exchange.getResponseBody().write(body);
                }
            }
        }
    }

    /** Where Prometheus finds it. */
    public String url() {
        InetSocketAddress at = server.getAddress();
        String host = at.getAddress().getHostAddress();
        return "http://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + at.getPort() + PATH;
    }

    @Override
    public void close() {
        server.stop(0);
        thread.shutdown();
    }
}
