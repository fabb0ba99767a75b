package io.pgstress.target.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pgstress.result.RunResult;
import io.pgstress.target.driver.CountingSocketFactory.CountingSocket;
import io.pgstress.target.loop.EventLoops;
import io.pgstress.testing.EveryJdk;
import io.pgstress.testing.Runs;
import io.pgstress.testing.TestServer;
import io.pgstress.testing.UnixProxy;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.net.URLEncoder;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Connections by Unix sockets. */
@EveryJdk
final class UnixSocketTest {
    @TempDir
    private Path directory;

    private UnixSocket impl;

    @BeforeEach
    void create() throws IOException {
        impl = new UnixSocket(file(), new ByteCounter());
    }

    @AfterEach
    void close() throws IOException {
        impl.close();
    }

    private Path file() {
        return directory.resolve(".s.PGSQL.5432");
    }

    private Connector connector() {
        return TestServer.connector("jdbc:postgresql://"
                + URLEncoder.encode(directory.toString(), StandardCharsets.UTF_8) + "/postgres?user=postgres");
    }

    @ParameterizedTest
    @ValueSource(strings = {"platform", "virtual", "loop"})
    void loadUsesTheSocketOnly(String kind) throws IOException {
        assumeTrue(!kind.equals("loop") || EventLoops.areAvailable(), "event loops: they need JDK 24 or 25");
        assumeTrue(
                !kind.equals("virtual") || Runtime.version().feature() >= 21,
                "virtual threads: they need JDK 21 or newer");
        String url = TestServer.freshDatabase("unix_socket");
        TestServer.table(url, "docs", 1_000);
        try (UnixProxy proxy = new UnixProxy()) {
            RunResult result = Runs.run("-t docs -c 4 --client-threads %s --warmup 0 -T 300ms --op find:1 --url %s"
                    .formatted(kind, proxy.url(url)));

            assertThat(result.servers().get(0).transport()).isEqualTo("unix");
            assertThat(result.total().ok()).isPositive();
            assertThat(result.total().errors()).isEmpty();
            assertThat(result.load().network().bytesIn())
                    .isGreaterThan(100 * result.total().ok());
            assertThat(proxy.connections()).isGreaterThan(4);
        }
    }

    @Test
    void cancelRequestUsesTheSocket() throws IOException, SQLException {
        try (UnixProxy proxy = new UnixProxy();
                Connection connection = TestServer.connector(proxy.url(TestServer.maintenanceUrl()))
                        .open(SessionPurpose.LOAD);
                Statement statement = connection.createStatement()) {
            statement.setQueryTimeout(1);
            assertThatThrownBy(() -> statement.execute("select pg_sleep(60)"))
                    .isInstanceOf(SQLException.class)
                    .extracting(e -> ((SQLException) e).getSQLState())
                    .isEqualTo("57014");
            assertThat(proxy.connections()).isEqualTo(2);
        }
    }

    @Test
    void serverThatDoesNotAnswerIsATimeout() throws IOException {
        try (ServerSocketChannel server = listening()) {
            assertThat(server.isOpen()).isTrue();
            SQLException e = catchThrowableOfType(
                    SQLException.class,
                    () -> connector().open(SessionPurpose.CONTROL.within(1, 1)).close());
            assertThat(ServerErrors.isTimeout(e)).isTrue();
        }
    }

    private ServerSocketChannel listening() throws IOException {
        return ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(UnixDomainSocketAddress.of(file()));
    }

    @Test
    void missingFileIsNamed() {
        assertThatThrownBy(() -> connector().open(SessionPurpose.LOAD))
                .isInstanceOf(SQLException.class)
                .hasMessage("no server listens at " + file()
                        + ": there is no such file; see the server's unix_socket_directories and port");
    }

    @Test
    void fileOfAnEndedServerIsNamed() throws IOException {
        listening().close();
        assertThat(Files.exists(file())).isTrue();
        assertThatThrownBy(() -> connector().open(SessionPurpose.LOOKUP))
                .isInstanceOf(SQLException.class)
                .hasMessage("no server listens at " + file() + ": Connection refused");
    }

    @Test
    void readTimeoutLeavesTheSocketUsable() throws IOException {
        try (ServerSocketChannel server = listening();
                Socket client = connected();
                SocketChannel accepted = server.accept()) {
            client.setSoTimeout(10);
            assertThatThrownBy(() -> client.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);
            client.setSoTimeout(0);
            assertThat(impl.channel().isBlocking()).isTrue();
            accepted.write(ByteBuffer.wrap(new byte[] {'x'}));
            assertThat(client.getInputStream().read()).isEqualTo('x');
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 60_000})
    void closingEndsARead(int timeoutMillis) throws IOException {
        try (ServerSocketChannel server = listening();
                Socket client = connected();
                SocketChannel accepted = server.accept()) {
            client.setSoTimeout(timeoutMillis);
            CompletableFuture<Integer> read = CompletableFuture.supplyAsync(() -> {
                try {
                    return client.getInputStream().read();
                } catch (IOException e) {
                    return -2;
                }
            });
            client.close();
            assertThat(read.join()).isEqualTo(-2);
            assertThat(accepted.read(ByteBuffer.allocate(1))).isEqualTo(-1);
        }
    }

    @Test
    void writesMoreThanTheKernelKeeps() throws IOException {
        byte[] much = new byte[1 << 22];
        try (ServerSocketChannel server = listening();
                Socket client = connected();
                SocketChannel accepted = server.accept()) {
            client.setSoTimeout(60_000);
            CompletableFuture<Long> arrived = CompletableFuture.supplyAsync(() -> arrived(accepted, much.length));
            client.getOutputStream().write(much);
            assertThat(arrived.join()).isEqualTo(much.length);
        }
    }

    private static long arrived(SocketChannel channel, int expected) {
        ByteBuffer buffer = ByteBuffer.allocate(expected);
        try {
            while (buffer.hasRemaining() && channel.read(buffer) >= 0) {
                Thread.onSpinWait();
            }
        } catch (IOException e) {
            return -1;
        }
        return buffer.position();
    }

    private Socket connected() throws IOException {
        Socket socket = new CountingSocket(impl);
        socket.connect(InetSocketAddress.createUnresolved("ignored", 1));
        return socket;
    }
}
