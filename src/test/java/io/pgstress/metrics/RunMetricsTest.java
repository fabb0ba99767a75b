package io.pgstress.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.measure.Phase;
import io.pgstress.report.BulkSample;
import io.pgstress.report.Samples;
import io.pgstress.report.live.HttpEndpoint;
import io.pgstress.result.IntervalResult;
import io.pgstress.result.IntervalResult.Times;
import io.pgstress.result.RunResult;
import io.pgstress.text.Records;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class RunMetricsTest {
    private final RunMetrics metrics = new RunMetrics();
    private HttpEndpoint server;

    @BeforeEach
    void start() throws IOException {
        server = HttpEndpoint.start("", 0, "/metrics", metrics.handler());
    }

    @AfterEach
    void stop() {
        server.close();
        metrics.close();
    }

    @Test
    void intervalsAddUp() throws Exception {
        List<IntervalResult> intervals = Samples.closed().intervals();
        metrics.interval(intervals.get(0));
        metrics.interval(intervals.get(1));

        String scrape = get("").body();

        long ok = intervals.get(0).counts().ok() + intervals.get(1).counts().ok();
        assertThat(scrape)
                .contains("pgstress_operations_total{operation=\"find_first\",outcome=\"ok\",phase=\"measure\"} "
                        + (double) ok)
                .contains("pgstress_client_cpu_seconds_total 2.5")
                .contains("pgstress_network_bytes_total{direction=\"out\"} 3125000.0")
                .contains("pgstress_latency_seconds_count{kind=\"total\",phase=\"measure\"} 1000\n")
                .contains("pgstress_latency_seconds_bucket{kind=\"total\",phase=\"measure\",le=\"+Inf\"} 1000\n")
                .doesNotContain("pgstress_target_rate");
    }

    @Test
    void rowsAndTheirBytesAddUp() throws Exception {
        List<IntervalResult> intervals = BulkSample.run().intervals();
        metrics.interval(intervals.get(0));
        metrics.interval(intervals.get(1));

        long rows = intervals.get(0).operations().get("bulk_copy").rows()
                + intervals.get(1).operations().get("bulk_copy").rows();
        assertThat(number("pgstress_rows_total")).isEqualTo(rows);
        assertThat(number("pgstress_row_bytes_total")).isEqualTo(rows * 360);
    }

    private long number(String name) throws Exception {
        return get("").body()
                .lines()
                .filter(line -> line.startsWith(name + "{operation=\"bulk_copy\",phase=\"measure\"}"))
                .mapToLong(line -> (long) Double.parseDouble(line.substring(line.indexOf(' '))))
                .sum();
    }

    @Test
    void operationWithoutSuccessHasNoPercentile() throws Exception {
        metrics.interval(Samples.open().intervals().stream()
                .filter(i -> i.counts().ok() == 0)
                .findFirst()
                .orElseThrow());

        assertThat(get("").body()).contains("pgstress_operation_p99_seconds{operation=\"find_first\"} NaN");
    }

    @Test
    void countsErrorsBySqlstate() throws Exception {
        Samples.open().intervals().forEach(metrics::interval);

        assertThat(get("").body())
                .contains("pgstress_errors_total{operation=\"find_first\",phase=\"measure\",sqlstate=\"57P01\"} 6.0")
                .contains("pgstress_target_rate 4000.0")
                .contains("phase=\"drain\"");
    }

    @Test
    void intervalThatIsReportedAgainReplacesWhatItCounted() throws Exception {
        List<IntervalResult> intervals = Samples.closed().intervals();
        IntervalResult early = intervals
                .get(0)
                .withOperations(Map.of(
                        "find_first", Records.with(intervals.get(0).operations().get("find_first"), "ok", 1L)));
        metrics.interval(early.withTimes(Times.NONE));
        metrics.interval(intervals.get(1));
        metrics.interval(intervals.get(0));

        long ok = intervals.get(0).counts().ok() + intervals.get(1).counts().ok();
        assertThat(get("").body())
                .contains("{operation=\"find_first\",outcome=\"ok\",phase=\"measure\"} " + (double) ok)
                .contains("pgstress_latency_seconds_count{kind=\"total\",phase=\"measure\"} 1000\n");
    }

    @Test
    void countersEndAtTheTotalsOfTheResult() throws Exception {
        RunResult run = Samples.open();
        metrics.interval(run.intervals().get(1)); // others were skipped, and nobody reports the drain

        metrics.ends(run);

        String scrape = get("").body();
        run.operations().keySet().forEach(operation -> {
            for (Phase phase : List.of(Phase.MEASURE, Phase.DRAIN)) {
                assertThat(scrape)
                        .contains("pgstress_operations_total{operation=\"" + operation
                                + "\",outcome=\"ok\",phase=\"" + phase.label() + "\"} "
                                + run.intervals().stream()
                                        .filter(i -> i.in(phase))
                                        .mapToDouble(i ->
                                                i.operations().get(operation).ok())
                                        .sum());
            }
        });
        long timed = run.intervals().stream()
                .filter(i -> i.in(Phase.MEASURE))
                .mapToLong(i -> i.times().totalMicros() != null
                        ? i.times().totalMicros().decoded().count()
                        : 0)
                .sum();
        assertThat(scrape).contains("pgstress_latency_seconds_count{kind=\"total\",phase=\"measure\"} " + timed + "\n");
    }

    @Test
    void countsExistFromTheStartAndTheRunIsNamed() throws Exception {
        RunResult run = Samples.closed();

        metrics.begins(run);

        assertThat(get("").body())
                .contains("pgstress_errors_total{operation=\"find_first\",phase=\"measure\",sqlstate=\"none\"} 0.0")
                .contains("pgstress_operations_total{operation=\"find_first\",outcome=\"ok\",phase=\"measure\"} 0.0")
                .contains("pgstress_misses_total{phase=\"measure\"} 0.0")
                .contains("pgstress_info{run=\"" + run.run().id() + "\",table=\""
                        + run.dataset().table() + "\",version=\""
                        + run.header().tool().version() + "\"} 1\n");
    }

    @Test
    void poolsEndWithTheLoad() throws Exception {
        metrics.pool("n", () -> Map.of("active", 1));

        metrics.loadEnds();

        assertThat(get("").body()).doesNotContain("pgstress_pool{");
    }

    @Test
    void readsThePoolAtEachScrape() throws Exception {
        AtomicInteger active = new AtomicInteger(1);
        metrics.pool("n", () -> Map.of("active", active.get()));

        assertThat(get("").body()).contains("pgstress_pool{node=\"n\",state=\"active\"} 1.0");
        active.set(7);
        assertThat(get("").body()).contains("pgstress_pool{node=\"n\",state=\"active\"} 7.0");
    }

    @Test
    void refusesANameThatSomeoneElsePointedHere() throws Exception {
        assertThat(status("attacker.example")).isEqualTo("HTTP/1.1 403 Forbidden");
        assertThat(status("localhost:1")).isEqualTo("HTTP/1.1 200 OK");
        assertThat(status("127.0.0.1")).isEqualTo("HTTP/1.1 200 OK");
    }

    private String status(String host) throws IOException {
        URI url = URI.create(server.url());
        try (Socket socket = new Socket(url.getHost(), url.getPort())) {
            socket.getOutputStream()
                    .write(("GET /metrics HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .findFirst()
                    .orElse("");
        }
    }

    @Test
    void servesNothingElse() throws Exception {
        HttpRequest head = HttpRequest.newBuilder(URI.create(server.url()))
                .method("HEAD", BodyPublishers.noBody())
                .build();
        HttpResponse<String> answer = HttpClient.newHttpClient().send(head, BodyHandlers.ofString());
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).isEmpty();
        for (String path : new String[] {"/", "/-/healthy", "/other"}) {
            URI other = URI.create(server.url()).resolve(path);
            assertThat(HttpClient.newHttpClient()
                            .send(HttpRequest.newBuilder(other).build(), BodyHandlers.discarding())
                            .statusCode())
                    .as(path)
                    .isEqualTo(404);
        }
    }

    @Test
    void everyMetricHasAHelpText() throws Exception {
        Samples.open().intervals().forEach(metrics::interval);

        List<String> names = get("").body()
                .lines()
                .filter(line -> line.startsWith("# TYPE pgstress_"))
                .map(line -> line.split(" ", -1)[2])
                .toList();
        String scrape = get("").body();
        assertThat(names)
                .hasSizeGreaterThan(8)
                .allSatisfy(name -> assertThat(scrape).containsPattern("# HELP " + name + " [A-Zp]"));
    }

    private HttpResponse<String> get(String more) throws IOException, InterruptedException {
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(URI.create(server.url() + more)).build(), BodyHandlers.ofString());
    }
}
