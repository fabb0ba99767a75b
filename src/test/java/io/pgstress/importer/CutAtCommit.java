package io.pgstress.importer;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** A proxy that closes the connection instead of forwarding the server's answer to one COMMIT. */
final class CutAtCommit implements AutoCloseable {
    private final ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final int serverPort;
    private final AtomicInteger left;
    private final AtomicBoolean cut = new AtomicBoolean();

    /** @param commit the COMMIT without an answer, counted from 1 */
    CutAtCommit(int serverPort, int commit) throws IOException {
        this.serverPort = serverPort;
        this.left = new AtomicInteger(commit);
        start(this::accept);
    }

    int port() {
        return socket.getLocalPort();
    }

    boolean hasCut() {
        return cut.get();
    }

    private interface Task {
        void run() throws IOException;
    }

    private static void start(Task task) {
        Thread thread = new Thread(() -> {
            try {
                task.run();
            } catch (IOException e) {
                // one side has closed, so the other is closed too
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() throws IOException {
        while (true) {
            Socket client = socket.accept();
            Socket server = new Socket(InetAddress.getLoopbackAddress(), serverPort);
            start(() -> toServer(client, server));
            start(() -> toClient(client, server));
        }
    }

    private static void toServer(Socket client, Socket server) throws IOException {
        byte[] buffer = new byte[1 << 16];
        try (server;
                InputStream in = client.getInputStream();
                OutputStream out = server.getOutputStream()) {
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                out.write(buffer, 0, n);
            }
        }
    }

    /** The server's message names the command; drivers send a prepared COMMIT without its text. */
    private void toClient(Socket client, Socket server) throws IOException {
        byte[] buffer = new byte[1 << 16];
        try (client;
                InputStream in = server.getInputStream();
                OutputStream out = client.getOutputStream()) {
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                boolean committed = new String(buffer, 0, n, StandardCharsets.ISO_8859_1).contains("COMMIT\0");
                if (committed && left.decrementAndGet() == 0) {
                    cut.set(true);
                    return;
                }
                out.write(buffer, 0, n);
            }
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
