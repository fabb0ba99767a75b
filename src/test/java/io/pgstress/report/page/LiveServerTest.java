package io.pgstress.report.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgstress.report.Samples;
import io.pgstress.report.page.LiveServer.EventLog;
import io.pgstress.result.IntervalResult;
import io.pgstress.result.RunResult;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The server of the live page, as programs see it that are no browsers. */
@Timeout(60)
final class LiveServerTest {
    private static final RunResult RESULT = Samples.closed();
    private static final IntervalResult INTERVAL = RESULT.intervals().get(0);

    private LiveServer server;
    private int port;

    @BeforeEach
    void start() throws IOException {
        server = new LiveServer("", 0);
        port = URI.create(server.url()).getPort();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void pageReloadsItselfUntilTheLoadBegins() throws IOException {
        assertThat(get("/")).startsWith("HTTP/1.1 200").contains("http-equiv=\"refresh\"");

        server.begins(RESULT.withIntervals(List.of()));
        assertThat(get("/"))
                .startsWith("HTTP/1.1 200")
                .contains("new EventSource")
                .contains("connect-src 'self'");
    }

    @Test
    void browserThatComesBackGetsOnlyWhatItMissed() throws Exception {
        server.begins(RESULT);
        server.phase("measure", 10);
        server.interval(INTERVAL);
        server.interval(INTERVAL);
        CompletableFuture<String> all = events("");
        CompletableFuture<String> rest = events("Last-Event-ID: 2\r\n");
        server.ends(RESULT);
        server.close();

        assertThat(all.get(30, TimeUnit.SECONDS))
                .contains("id: 1\nevent: phase\ndata: {\"phase\":\"measure\",\"seconds\":10.0}\n")
                .contains("id: 2\nevent: interval\ndata: {")
                .contains("id: 3\nevent: interval\n")
                .containsPattern("id: \\d+\nevent: end\n");
        assertThat(rest.get(30, TimeUnit.SECONDS))
                .doesNotContain("id: 2\n")
                .contains("id: 3\nevent: interval\n")
                .containsPattern("id: \\d+\nevent: end\n");
    }

    @Test
    void browserThatNeverReadsHoldsUpNobody() throws Exception {
        server.begins(RESULT);
        try (Socket deaf = new Socket()) {
            deaf.setReceiveBufferSize(2_048);
            deaf.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            deaf.getOutputStream().write(request("GET", "/events", "localhost", ""));
            IntervalResult brief = INTERVAL.withoutHistograms();
            for (int i = 0; i < 2 * EventLog.CAPACITY; i++) {
                server.interval(brief);
            }
            CompletableFuture<String> other = events("");
            server.ends(RESULT);
            server.close();

            assertThat(other.get(30, TimeUnit.SECONDS)).containsPattern("\nevent: end\n");
        }
    }

    @Test
    void pageOfAnEarlierRunStopsAsking() throws IOException {
        server.begins(RESULT);
        assertThat(get("/events?run=another")).startsWith("HTTP/1.1 204");
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /, evil.example:8080, 403",
        "GET, /events, evil.example, 403",
        "GET, /, localhost.evil.example, 403",
        "GET, /, localhost:8080, 200",
        "GET, /, 127.0.0.1:8080, 200",
        "GET, /, [::1]:8080, 200",
        "HEAD, /, localhost, 200",
        "POST, /, localhost, 405",
        "GET, /../etc/passwd, localhost, 404",
        "GET, /report/page.js, localhost, 404",
    })
    void servesOnlyThePageAndOnlyByTheNamesOfThisMachine(String method, String path, String host, int code)
            throws IOException {
        assertThat(send(request(method, path, host, "Connection: close\r\n"))).startsWith("HTTP/1.1 " + code);
    }

    @Test
    void otherSitesMayNeitherReadNorFrameIt() throws IOException {
        assertThat(get("/"))
                .containsIgnoringCase("X-Frame-Options: DENY")
                .containsIgnoringCase("Cross-Origin-Resource-Policy: same-origin")
                .doesNotContainIgnoringCase("Access-Control-Allow-Origin");
    }

    @Test
    void listensOnLoopbackOnlyAndReportsAPortThatIsTaken() {
        assertThat(URI.create(server.url()).getHost()).isEqualTo("127.0.0.1");
        assertThatThrownBy(() -> new LiveServer("", port))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("cannot listen on 127.0.0.1:" + port);
    }

    /** What the server sends as events until it ends the answer; returns once the stream has begun. */
    private CompletableFuture<String> events(String header) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.getOutputStream().write(request("GET", "/events", "localhost", "Connection: close\r\n" + header));
        InputStream in = socket.getInputStream();
        String first = new String(in.readNBytes(15), StandardCharsets.UTF_8);
        return CompletableFuture.supplyAsync(() -> {
            try (socket) {
                return first + new String(in.readAllBytes(), StandardCharsets.UTF_8);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    private String get(String path) throws IOException {
        return send(request("GET", path, "localhost", "Connection: close\r\n"));
    }

    private static byte[] request(String method, String path, String host, String headers) {
        return (method + " " + path + " HTTP/1.1\r\nHost: " + host + "\r\n" + headers + "\r\n")
                .getBytes(StandardCharsets.UTF_8);
    }

    private String send(byte[] request) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream().write(request);
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
