package io.pgstress.testing;

import io.pgstress.plan.Endpoint;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.URLEncoder;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;

/** Lets clients connect to the {@link TestServer} by a Unix socket. */
public final class UnixProxy implements AutoCloseable {
    private final Path directory;
    private final Path file;
    private final ServerSocketChannel listening;
    private final AtomicInteger connections = new AtomicInteger();

    public UnixProxy() throws IOException {
        directory = Files.createTempDirectory("pgstress");
        file = directory.resolve(".s.PGSQL." + TestServer.port());
        listening = ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(UnixDomainSocketAddress.of(file));
        start(this::accept);
    }

    /** The URL of the same database by the socket. */
    public String url(String tcpUrl) {
        String host = URLEncoder.encode(directory.toString(), StandardCharsets.UTF_8);
        return tcpUrl.replace(new Endpoint(tcpUrl, 0).host() + ":", host + ":");
    }

    /** The directory of its socket. */
    public Path directory() {
        return directory;
    }

    /** The number of connections so far, cancel requests included. */
    public int connections() {
        return connections.get();
    }

    private void accept() throws IOException {
        while (listening.isOpen()) {
            SocketChannel client = listening.accept();
            connections.incrementAndGet();
            SocketChannel server =
                    SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), TestServer.port()));
            server.setOption(StandardSocketOptions.TCP_NODELAY, true);
            start(() -> copy(client, server));
            start(() -> copy(server, client));
        }
    }

    private static void copy(SocketChannel from, SocketChannel to) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(1 << 14);
        try (from;
                to) {
            while (from.read(buffer) >= 0) {
                buffer.flip();
                to.write(buffer);
                buffer.clear();
            }
        }
    }

    private interface Work {
        void run() throws IOException;
    }

    private static void start(Work work) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (IOException e) {
                        return; // closed, by one end or the test
                    }
                },
                "unix-proxy");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        listening.close();
        Files.deleteIfExists(file);
        Files.deleteIfExists(directory);
    }
}
