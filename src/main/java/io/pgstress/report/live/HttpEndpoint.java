package io.pgstress.report.live;

import com.sun.net.httpserver.Filter;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Pattern;

/** An HTTP server with one handler, for what others may read of a run in progress. Each request has a thread. */
public final class HttpEndpoint implements AutoCloseable {
    private final InetAddress address;
    private final String path;
    private final HttpServer http;
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "http");
        thread.setDaemon(true);
        return thread;
    });

    private HttpEndpoint(InetAddress address, String path, HttpServer http) {
        this.address = address;
        this.path = path;
        this.http = http;
    }

    /**
     * Starts the server.
     *
     * @param host name or address to listen on; empty: the loopback interface only
     * @param port 0: any free port
     * @param path what the handler serves, and all below it; the answer to any other path is 404
     * @throws IOException if the server cannot listen there; the message names the address
     */
    public static HttpEndpoint start(String host, int port, String path, HttpHandler handler) throws IOException {
        InetAddress address = host.isEmpty() ? InetAddress.getLoopbackAddress() : InetAddress.getByName(host);
        try {
            HttpEndpoint endpoint =
                    new HttpEndpoint(address, path, HttpServer.create(new InetSocketAddress(address, port), 0));
            endpoint.http.setExecutor(endpoint.threads);
            endpoint.http.createContext(path, handler).getFilters().add(new OwnName(host));
            endpoint.http.start();
            return endpoint;
        } catch (IOException e) {
            throw new IOException(
                    "cannot listen on " + address.getHostAddress() + ":" + port + ": " + e.getMessage(), e);
        }
    }

    /**
     * Refuses requests whose {@code Host} is not an address, {@code localhost}, or the name that the server listens on. A page of
     * another site may not read the run by a name that the site's owner has pointed at this machine (DNS rebinding).
     */
    private static final class OwnName extends Filter {
        private static final Pattern ADDRESS = Pattern.compile("\\[[0-9a-f:.%]+]|\\d+\\.\\d+\\.\\d+\\.\\d+");
        private static final byte[] REFUSAL =
                "Use the address of this server, or the name that it was told to listen on.\n"
                        .getBytes(StandardCharsets.UTF_8);

        private final String host;

        OwnName(String host) {
            this.host = host.toLowerCase(Locale.ROOT);
        }

        @Override
        public void doFilter(HttpExchange exchange, Chain chain) throws IOException {
            String header = exchange.getRequestHeaders().getFirst("Host");
            String name = header == null ? "" : header.toLowerCase(Locale.ROOT).replaceFirst(":\\d+$", "");
            if (name.equals("localhost")
                    || (!host.isEmpty() && name.equals(host))
                    || ADDRESS.matcher(name).matches()) {
                chain.doFilter(exchange);
                return;
            }
            try (exchange) {
                boolean isHead = exchange.getRequestMethod().equals("HEAD");
                exchange.getResponseHeaders().set("Content-Type", "text/plain; charset=utf-8");
                exchange.getResponseHeaders().set("Cache-Control", "no-store");
                exchange.getResponseHeaders().set("X-Content-Type-Options", "nosniff");
                exchange.sendResponseHeaders(403, isHead ? -1 : REFUSAL.length);
                if (!isHead) {
                    exchange.getResponseBody().write(REFUSAL);
                }
            }
        }

        @Override
        public String description() {
            return "refuses other hosts' names";
        }
    }

    /** The URL of the path. */
    public String url() {
        String host = address.getHostAddress();
        return "http://" + (host.contains(":") ? "[" + host + "]" : host) + ":"
                + http.getAddress().getPort() + path;
    }

    /** Ends the server and its requests. */
    @Override
    public void close() {
        http.stop(0);
        threads.shutdownNow();
    }
}
