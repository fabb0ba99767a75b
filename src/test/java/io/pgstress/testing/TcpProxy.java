package io.pgstress.testing;

import io.pgstress.testing.wire.Listener;
import java.io.IOException;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicInteger;

/** Passes each connection on to the next of several servers on loopback, as HAProxy does with {@code balance roundrobin}. */
public final class TcpProxy implements AutoCloseable {
    private final int[] targets;
    private final AtomicInteger next = new AtomicInteger();
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

    private static void pass(Socket from, Socket to) {
        try {
            from.getInputStream().transferTo(to.getOutputStream());
            to.shutdownOutput();
        } catch (IOException e) {
            return; // one side has disconnected, and the other will be closed
        }
    }

    /** This URL, through the proxy. */
    public String through(String url) {
        return url.replaceFirst(":\\d+/", ":" + listener.port() + "/");
    }

    @Override
    public void close() {
        listener.close();
    }
}
