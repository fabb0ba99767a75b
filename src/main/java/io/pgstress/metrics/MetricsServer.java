package io.pgstress.metrics;

import io.prometheus.metrics.exporter.httpserver.HTTPServer;
import java.io.IOException;
import java.net.InetAddress;

/** Serves {@code /metrics} to Prometheus during a run, and nothing else. Anyone who reaches the port may read it. */
public final class MetricsServer implements AutoCloseable {
    private static final String PATH = "/metrics";
    private static final int NOT_FOUND = 404;
    private static final int NO_BODY = -1;

    private final InetAddress address;
    private final HTTPServer server;

    private MetricsServer(InetAddress address, HTTPServer server) {
        this.address = address;
        this.server = server;
    }

    /**
     * Starts the server.
     *
     * @param host name or address to listen on; empty: the loopback interface only
     * @param port 0: any free port
     * @throws IOException if the server cannot listen there; the message names the address
     */
    public static MetricsServer start(String host, int port, RunMetrics metrics) throws IOException {
        InetAddress address = host.isEmpty() ? InetAddress.getLoopbackAddress() : InetAddress.getByName(host);
        try {
            HTTPServer server = HTTPServer.builder()
                    .inetAddress(address)
                    .port(port)
                    .registry(metrics.prometheus())
                    .metricsHandlerPath(PATH)
                    .registerHealthHandler(false)
                    .defaultHandler(exchange -> {
                        exchange.sendResponseHeaders(NOT_FOUND, NO_BODY);
                        exchange.close();
                    })
                    .buildAndStart();
            return new MetricsServer(address, server);
        } catch (IOException e) {
            throw new IOException("cannot listen on " + address + ":" + port + ": " + e.getMessage(), e);
        }
    }

    /** The URL for Prometheus. */
    public String url() {
        String host = address.getHostAddress();
        return "http://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + server.getPort() + PATH;
    }

    @Override
    public void close() {
        server.close();
    }
}
