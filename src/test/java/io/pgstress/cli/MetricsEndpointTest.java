package io.pgstress.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgstress.report.file.ResultFile;
import io.pgstress.result.RunResult;
import io.pgstress.testing.Runs;
import io.pgstress.testing.TestServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The metrics of a run started as by a user. */
final class MetricsEndpointTest {
    @TempDir
    private Path directory;

    private static final String COUNTED = "pgstress_operations_total{";

    @Test
    void servesMetricsOnLoopbackOnlyDuringTheRun() throws Exception {
        String url = TestServer.freshDatabase("cli_metrics");
        TestServer.table(url, "docs", 500);
        PipedInputStream told = new PipedInputStream(1 << 16);
        try (PrintStream err = new PrintStream(new PipedOutputStream(told), true, StandardCharsets.UTF_8)) {
            CompletableFuture<Integer> run = CompletableFuture.supplyAsync(() -> run(
                    "-t docs -c 2 --pool hikari --warmup 0 -P 200ms -T 2 --prometheus 0 -q --url " + url
                            + Runs.ON_A_BUSY_MACHINE,
                    err));

            URI metrics = URI.create(reader(told).readLine().replace("stress: metrics at ", ""));
            assertThat(metrics.getHost()).isEqualTo("127.0.0.1");
            String found = "";
            while (!run.isDone() && !found.contains("pgstress_latency_seconds_count")) {
                found = get(metrics);
            }

            assertThat(found).contains(COUNTED, "pgstress_pool{");
            assertThat(run.get()).isZero();
            assertThatThrownBy(() -> get(metrics)).isInstanceOf(ConnectException.class);
        }
    }

    /** Scraped after the load has ended, the counters are those of the result. */
    @Test
    void lingeringEndpointServesTheTotalsOfTheResult() throws Exception {
        String url = TestServer.freshDatabase("cli_metrics_linger");
        TestServer.table(url, "docs", 500);
        PipedInputStream told = new PipedInputStream(1 << 16);
        Path json = directory.resolve("result.json");
        try (PrintStream err = new PrintStream(new PipedOutputStream(told), true, StandardCharsets.UTF_8)) {
            CompletableFuture<Integer> run = CompletableFuture.supplyAsync(() -> run(
                    "-t docs -c 8 -R 50 --warmup 0 -P 500ms -T 2 --prometheus 0 --metrics-linger 3 -q --url " + url
                            + " --json " + json + Runs.ON_A_BUSY_MACHINE,
                    err));
            BufferedReader lines = reader(told);
            URI metrics = URI.create(lines.readLine().replace("stress: metrics at ", ""));
            lines.readLine(); // it says that it lingers, with the report complete
            RunResult result = (RunResult) ResultFile.read(json);
            assertThat(get(metrics))
                    .contains(COUNTED + "operation=\"find_first\",outcome=\"ok\",phase=\"measure\"} "
                            + (double) result.total().okInWindow());
            assertThat(run.get()).isZero();
        }
    }

    private static int run(String line, PrintStream err) {
        PrintStream out = new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
        return Main.run(new Streams(out, err), Runs.words(line));
    }

    private static BufferedReader reader(PipedInputStream told) {
        return new BufferedReader(new InputStreamReader(told, StandardCharsets.UTF_8));
    }

    private static String get(URI metrics) throws IOException, InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(metrics).timeout(Duration.ofSeconds(5)).build();
        return HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body();
    }
}
