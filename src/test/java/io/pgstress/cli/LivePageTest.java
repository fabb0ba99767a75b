package io.pgstress.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.report.file.ResultFile;
import io.pgstress.result.IntervalResult;
import io.pgstress.result.RunResult;
import io.pgstress.testing.Runs;
import io.pgstress.testing.TestServer;
import io.pgstress.text.Json;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The live page of a run started as by a user. */
final class LivePageTest {
    private static final Pattern DATA = Pattern.compile("id=\"(results|curves|badges)\">(.*?)</script>");

    @TempDir
    Path directory;

    @Test
    void sendsEveryIntervalAndEndsAsTheHtmlReport() throws Exception {
        String url = TestServer.freshDatabase("cli_live");
        TestServer.table(url, "docs", 500);
        PipedInputStream told = new PipedInputStream(1 << 16);
        try (PrintStream err = new PrintStream(new PipedOutputStream(told), true, StandardCharsets.UTF_8)) {
            CompletableFuture<Integer> run = CompletableFuture.supplyAsync(() -> run(url, err));
            String line = new BufferedReader(new InputStreamReader(told, StandardCharsets.UTF_8)).readLine();
            assertThat(line).startsWith("stress: live page at http://127.0.0.1:");
            URI page = URI.create(line.replace("stress: live page at ", ""));
            CompletableFuture<HttpResponse<String>> events = HttpClient.newHttpClient()
                    .sendAsync(HttpRequest.newBuilder(page.resolve("events")).build(), BodyHandlers.ofString());

            assertThat(run.get()).isZero();

            assertSame(events.get().body());
        }
    }

    private void assertSame(String events) throws IOException {
        RunResult result = (RunResult) ResultFile.read(directory.resolve("run.json"));
        assertThat(result.intervals().stream()
                        .filter(i -> i.phase().equals("measure"))
                        .map(IntervalResult::atSeconds))
                .hasSize(4)
                .containsExactlyElementsOf(data(events, "interval").stream()
                        .filter(i -> i.get("phase").equals("measure"))
                        .map(i -> ((Number) i.get("atSeconds")).doubleValue())
                        .toList());
        Map<String, Object> end = data(events, "end").get(0);
        Matcher written = DATA.matcher(Files.readString(directory.resolve("run.html")));
        int parts = 0;
        while (written.find()) {
            parts++;
            assertThat(end.get(written.group(1)))
                    .as(written.group(1))
                    .isEqualTo(
                            Json.readMap("{\"all\":" + written.group(2) + "}").get("all"));
        }
        assertThat(parts).isEqualTo(3);
    }

    private static List<Map<String, Object>> data(String events, String name) {
        return Pattern.compile("event: " + name + "\ndata: (.*)\n")
                .matcher(events)
                .results()
                .map(m -> Json.readMap(m.group(1)))
                .toList();
    }

    private int run(String url, PrintStream err) {
        PrintStream out = new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
        String command = "--table docs --threads 2 --warmup 0 --interval 200ms --duration 0.8 --live 0 -q"
                + Runs.ON_A_BUSY_MACHINE;
        return Main.run(new Streams(out, err), arguments(url, command));
    }

    private String[] arguments(String url, String command) {
        return (command + " --url " + url + " --json " + directory.resolve("run.json") + " --html "
                        + directory.resolve("run.html"))
                .split(" ", -1);
    }

    @Test
    void portThatIsTakenEndsTheCommandBeforeItConnects() throws IOException {
        ByteArrayOutputStream told = new ByteArrayOutputStream();
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            PrintStream err = new PrintStream(told, true, StandardCharsets.UTF_8);
            String port = Integer.toString(taken.getLocalPort());
            int code = Main.run(
                    new Streams(err, err), arguments("jdbc:postgresql://localhost:1/none", "--table t --live " + port));
            assertThat(code).isEqualTo(2);
            assertThat(told.toString(StandardCharsets.UTF_8).strip())
                    .startsWith("stress: --live: cannot listen on 127.0.0.1:" + port + ": ")
                    .doesNotContain("\n");
        }
    }
}
