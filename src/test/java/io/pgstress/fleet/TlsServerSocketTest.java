package io.pgstress.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Strangers whose handshake does not end hold up nobody. */
@Timeout(60)
final class TlsServerSocketTest {
    private static final int LIMIT_MILLIS = 1500;

    /** The head of a record with a handshake of 16 KiB, which never arrives as a whole. */
    private static final byte[] BEGINNING = {22, 3, 1, 64, 0};

    @TempDir
    private Path temp;

    private final ScheduledExecutorService clock = Executors.newScheduledThreadPool(2);
    private SSLContext tls;
    private TlsServerSocket server;

    @BeforeEach
    void listen() throws IOException {
        KeyDirectory.create(temp.resolve("keys"), List.of("localhost"), Instant.now());
        tls = FleetTls.context(
                temp.resolve("keys/localhost.p12"),
                temp.resolve("keys/truststore.p12"),
                FleetTls.password(temp.resolve("keys/password"), Map.of()));
        server = new TlsServerSocket(tls, LIMIT_MILLIS);
        server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    private final List<Future<?>> strangers = new ArrayList<>();

    @AfterEach
    void close() throws IOException {
        server.close();
        clock.shutdownNow();
    }

    /** A stranger that sends a byte ten times a second. */
    private Socket slow() throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.getLocalPort());
        OutputStream out = socket.getOutputStream();
        out.write(BEGINNING);
        strangers.add(clock.scheduleAtFixedRate(
                () -> {
                    try {
                        out.write(0);
                    } catch (IOException e) {
                        throw new CompletionException(e); // closed; ends the repetition
                    }
                },
                100,
                100,
                TimeUnit.MILLISECONDS));
        return socket;
    }

    private SSLSocket host() throws IOException {
        SSLSocket socket = (SSLSocket)
                tls.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), server.getLocalPort());
        socket.setSoTimeout(20_000);
        return socket;
    }

    private CompletableFuture<Socket> accepted() {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return server.accept();
            } catch (IOException e) {
                throw new CompletionException(e);
            }
        });
    }

    @Test
    void hostIsAcceptedWhileAStrangerSendsAByteAtATime() throws Exception {
        try (Socket stranger = slow();
                Socket another = slow()) {
            CompletableFuture<Socket> accepted = accepted();
            try (SSLSocket host = host()) {
                host.startHandshake();
                assertThat(accepted.get().getPort()).isEqualTo(host.getLocalPort());
            }
            long start = System.nanoTime();
            for (Socket each : List.of(stranger, another)) {
                each.setSoTimeout(20_000);
                assertThat(hasEnded(each)).isTrue();
            }
            assertThat(System.nanoTime() - start).isLessThan(TimeUnit.SECONDS.toNanos(15));
        }
    }

    /** Waits until the server has closed the connection, which a reset tells as well. */
    private static boolean hasEnded(Socket socket) throws IOException {
        try {
            return socket.getInputStream().readAllBytes().length < 100;
        } catch (SocketException e) {
            return true;
        }
    }

    @Test
    void closingEndsWaitingAndHandshakes() throws Exception {
        CompletableFuture<Socket> accepted = accepted();
        try (Socket stranger = slow()) {
            server.close();
            assertThatThrownBy(accepted::join).hasCauseInstanceOf(SocketException.class);
            stranger.setSoTimeout(20_000);
            assertThat(hasEnded(stranger)).isTrue();
        }
    }
}
