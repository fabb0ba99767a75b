package io.pgstress.report.live;

import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

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
            endpoint.http.createContext(path, handler);
            endpoint.http.start();
            return endpoint;
        } catch (IOException e) {
            throw new IOException(
                    "cannot listen on " + address.getHostAddress() + ":" + port + ": " + e.getMessage(), e);
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
