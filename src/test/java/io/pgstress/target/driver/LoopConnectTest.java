package io.pgstress.target.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pgstress.target.loop.EventLoops;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Threads of a loop that connect: they wait by the loop, and fail as others do. */
@Timeout(30)
final class LoopConnectTest {
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();
    private EventLoops loops;

    @BeforeEach
    void open() {
        assumeTrue(EventLoops.areAvailable(), "event loops: they need JDK 24 or 25");
        loops = new EventLoops(1, failures::add);
    }

    @AfterEach
    void close() {
        if (loops != null) {
            loops.close();
        }
        assertThat(failures).isEmpty();
    }

    @Test
    void connectsAndReads() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket client = socket()) {
            CompletableFuture<Object> connected = connect(client, server.getLocalSocketAddress(), 5000);
            try (Socket peer = server.accept()) {
                assertThat(connected.get(20, TimeUnit.SECONDS)).isEqualTo(client);
                peer.getOutputStream().write('x');
                assertThat(client.getInputStream().read()).isEqualTo('x');
                assertThat(client.getPort()).isEqualTo(server.getLocalPort());
            }
        }
    }

    @Test
    void refusedConnectionFails() throws Exception {
        SocketAddress closed;
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            closed = server.getLocalSocketAddress();
        }
        try (Socket client = socket()) {
            assertThat(connect(client, closed, 5000).get(20, TimeUnit.SECONDS)).isInstanceOf(ConnectException.class);
        }
    }

    @Test
    void unknownHostFails() throws Exception {
        try (Socket client = socket()) {
            assertThat(connect(client, InetSocketAddress.createUnresolved("no.such.host", 5432), 5000)
                            .get(20, TimeUnit.SECONDS))
                    .isInstanceOf(UnknownHostException.class)
                    .hasToString("java.net.UnknownHostException: no.such.host");
        }
    }

    /** Linux drops the requests to connect to a server that accepts nobody and has a full queue. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void silentServerIsGivenUpOnTime() throws Exception {
        List<Socket> queued = new ArrayList<>();
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Object last = null;
            for (int i = 0; i < 10 && !(last instanceof Throwable); i++) {
                Socket client = socket();
                queued.add(client);
                last = connect(client, server.getLocalSocketAddress(), 200).get(20, TimeUnit.SECONDS);
            }
            assertThat(last).isInstanceOf(SocketTimeoutException.class);
        } finally {
            for (Socket client : queued) {
                client.close();
            }
        }
    }

    private static Socket socket() throws IOException {
        return new CountingSocketFactory("nobody's").createSocket();
    }

    /** The socket once it is connected, or why not. */
    private CompletableFuture<Object> connect(Socket client, SocketAddress to, int millis) {
        CompletableFuture<Object> end = new CompletableFuture<>();
        Runnable task = () -> {
            try {
                client.connect(to, millis);
                end.complete(client);
            } catch (IOException | RuntimeException e) {
                end.complete(e);
            }
        };
        loops.newThread(task).start();
        return end;
    }
}
