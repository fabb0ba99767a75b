package io.pgstress.testing;

import io.pgstress.testing.wire.Listener;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** A proxy that counts the bytes of every connection whose first message marks it as load. */
public final class CountingProxy implements AutoCloseable {
    private final Listener listener = new Listener("proxy", this::serve);
    private final int target;
    private final AtomicLong toServer = new AtomicLong();
    private final AtomicLong toClient = new AtomicLong();
    private volatile boolean isStill;
    private long lastAnswer;
    private long longestSilence;

    public CountingProxy(int target) {
        this.target = target;
    }

    private void serve(Socket client) throws IOException {
        try (Socket server = Listener.connect(target)) {
            begin(client, server);
        }
    }

    /** Reads the first messages to learn whether the connection is load; pgjdbc may ask for TLS first. */
    private void begin(Socket client, Socket server) throws IOException {
        InputStream in = client.getInputStream();
        OutputStream out = server.getOutputStream();
        byte[] buffer = new byte[16_384];
        long asked = 0;
        int length = in.read(buffer);
        waitWhileStill();
        if (length == 8) {
            out.write(buffer, 0, length);
            asked = length;
            int answer = server.getInputStream().read();
            client.getOutputStream().write(answer);
            length = in.read(buffer);
        }
        String first = new String(buffer, 0, Math.max(0, length), java.nio.charset.StandardCharsets.ISO_8859_1);
        boolean load = first.contains("application_name\0pgstress\0");
        if (load) {
            toServer.addAndGet(asked + length);
            toClient.addAndGet(asked > 0 ? 1 : 0);
        }
        if (length < 0) {
            return;
        }
        out.write(buffer, 0, length);
        listener.daemon(
                () -> copy(server, client, load ? toClient : new AtomicLong(), load ? this::answered : () -> {}));
        copy(client, server, load ? toServer : new AtomicLong(), () -> {});
    }

    private void copy(Socket from, Socket to, AtomicLong count, Runnable written) {
        byte[] buffer = new byte[65_536];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                count.addAndGet(n);
                waitWhileStill();
                out.write(buffer, 0, n);
                written.run();
            }
        } catch (IOException e) {
            // one side has closed, so the other is closed too
        } finally {
            Listener.close(from);
            Listener.close(to);
        }
    }

    private void waitWhileStill() {
        while (isStill && !listener.isClosed()) {
            LockSupport.parkNanos(1_000_000);
        }
    }

    /** From now on, receives everything and forwards nothing, like a hanging server. */
    public synchronized void standStill() {
        isStill = true;
        longestSilence = 0;
    }

    /** Forwards what it received meanwhile, and everything that follows. */
    public void goOn() {
        isStill = false;
    }

    private synchronized void answered() {
        long now = System.nanoTime();
        longestSilence = Math.max(longestSilence, now - lastAnswer);
        lastAnswer = now;
    }

    /** The longest time in seconds since {@link #standStill} without an answer on any load connection. */
    public synchronized double longestSilence() {
        return longestSilence / 1e9;
    }

    public int port() {
        return listener.port();
    }

    /** Bytes of load connections to the server. */
    public long toServer() {
        return toServer.get();
    }

    /** Bytes of load connections from the server. */
    public long toClient() {
        return toClient.get();
    }

    @Override
    public void close() {
        listener.close();
    }
}
