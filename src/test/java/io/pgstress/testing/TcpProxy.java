package io.pgstress.testing;

import io.pgstress.testing.wire.Listener;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** Passes each connection on to the next of several servers on loopback, as HAProxy does with {@code balance roundrobin}. */
public final class TcpProxy implements AutoCloseable {
    /** The name that control connections have in the startup message and in the server's reply. */
    private static final String CONTROL = "pgstress control";

    private final int[] targets;
    private final AtomicInteger next = new AtomicInteger();
    private final ReentrantReadWriteLock holding = new ReentrantReadWriteLock();
    private final Listener listener = new Listener("tcp-proxy", this::serve);

    /** @param targets the servers' ports */
    public TcpProxy(int... targets) {
        this.targets = targets.clone();
    }

    private void serve(Socket client) throws IOException {
        try (Socket server = Listener.connect(targets[next.getAndIncrement() % targets.length])) {
            listener.daemon(() -> pass(server, client));
            pass(client, server);
        }
    }

    private void pass(Socket from, Socket to) {
        byte[] bytes = new byte[1 << 16];
        boolean isControl = false;
        try {
            InputStream in = from.getInputStream();
            for (int n = in.read(bytes); n >= 0; n = in.read(bytes)) {
                isControl = isControl || new String(bytes, 0, n, StandardCharsets.ISO_8859_1).contains(CONTROL);
                Lock lock = isControl ? new ReentrantLock() : holding.readLock();
                lock.lock();
                try {
                    to.getOutputStream().write(bytes, 0, n);
                } finally {
                    lock.unlock();
                }
            }
            to.shutdownOutput();
        } catch (IOException e) {
            return; // one side has disconnected, and the other will be closed
        }
    }

    /** This URL, through the proxy. */
    public String through(String url) {
        return url.replaceFirst(":\\d+/", ":" + listener.port() + "/");
    }

    /** Passes nothing on from clients or to them while this is done, but on control connections. */
    public void hold(Runnable during) {
        holding.writeLock().lock();
        try {
            during.run();
        } finally {
            holding.writeLock().unlock();
        }
    }

    @Override
    public void close() {
        listener.close();
    }
}
