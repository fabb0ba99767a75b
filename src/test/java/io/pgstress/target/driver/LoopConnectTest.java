package io.pgstress.target.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pgstress.plan.Endpoint;
import io.pgstress.target.loop.EventLoops;
import io.pgstress.testing.EveryJdk;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.net.URLEncoder;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.PGProperty;

/** Threads of a loop that connect: they wait by the loop, and fail as others do. */
@EveryJdk
@Timeout(30)
final class LoopConnectTest {
    /** The address of a Unix socket is its file. */
    private static final SocketAddress IGNORED = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);

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

    /** Linux lets a request to connect to a Unix socket with a full queue wait, or fail with EAGAIN. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void fullQueueOfAUnixSocketIsWaitedFor(@TempDir Path directory) throws Exception {
        Path file = directory.resolve(".s.PGSQL.5432");
        List<Socket> queued = new ArrayList<>();
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(file), 1);
            Object last = null;
            for (int i = 0; i < 10 && !(last instanceof Throwable); i++) {
                Socket client = socket(directory);
                queued.add(client);
                last = connect(client, IGNORED, 100).get(20, TimeUnit.SECONDS);
            }
            assertThat(last).isInstanceOf(SocketTimeoutException.class);

            Socket late = socket(directory);
            queued.add(late);
            CompletableFuture<Object> connected = connect(late, IGNORED, 20_000);
            CompletableFuture<Object> other = new CompletableFuture<>();
            loops.newThread(() -> other.complete("the loop goes on")).start();
            assertThat(other.get(20, TimeUnit.SECONDS)).isNotNull();
            assertThat(connected).isNotDone();
            for (int i = 0; i < queued.size() - 1; i++) { // all but the one that was given up
                try (SocketChannel peer = server.accept()) {
                    peer.write(ByteBuffer.wrap(new byte[] {'x'}));
                }
            }
            assertThat(connected.get(20, TimeUnit.SECONDS)).isEqualTo(late);
            assertThat(late.getInputStream().read()).isEqualTo('x');
        } finally {
            for (Socket client : queued) {
                client.close();
            }
        }
    }

    private static Socket socket(Path directory) throws IOException {
        Properties properties = new Properties();
        String host = URLEncoder.encode(directory.toString(), StandardCharsets.UTF_8);
        CountingSocketFactory.use(
                properties, Endpoint.parse("jdbc:postgresql://" + host + "/postgres"), new ByteCounter());
        return new CountingSocketFactory(PGProperty.SOCKET_FACTORY_ARG.getOrDefault(properties)).createSocket();
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
