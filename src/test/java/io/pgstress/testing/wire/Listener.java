package io.pgstress.testing.wire;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** Listens on a free port of the loopback interface and serves each connection on its own daemon thread. */
public final class Listener implements AutoCloseable {
    private final String name;
    private final Handler handler;
    private final ServerSocket socket;

    /** Serves one connection, which is closed when this returns or throws. */
    public interface Handler {
        /** @throws IOException if one side has disconnected */
        void serve(Socket client) throws IOException, InterruptedException;
    }

    /** Starts listening. {@code name} is the name of the threads. */
    public Listener(String name, Handler handler) {
        this.name = name;
        this.handler = handler;
        try {
            socket = new ServerSocket(0, 500, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        daemon(this::accept);
    }

    private void accept() {
        while (!socket.isClosed()) {
            try {
                Socket client = socket.accept();
                client.setTcpNoDelay(true);
                daemon(() -> serve(client));
            } catch (IOException e) {
                return; // closed
            }
        }
    }

    private void serve(Socket client) {
        try (client) {
            handler.serve(client);
        } catch (IOException e) {
            return; // one side has disconnected, so the other is closed too
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Starts a daemon thread. */
    public void daemon(Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
    }

    /** A connection to a port of the loopback interface. */
    public static Socket connect(int port) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        return socket;
    }

    public int port() {
        return socket.getLocalPort();
    }

    public boolean isClosed() {
        return socket.isClosed();
    }

    /** Closes a socket that another thread may be using. */
    public static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
