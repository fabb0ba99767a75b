package io.pgstress.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.metrics.v1.HistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.pgstress.report.Samples;
import io.pgstress.result.RunResult;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a receiver of OpenTelemetry's protocol gets. */
final class OtlpExportTest {
    private final Queue<String> paths = new ConcurrentLinkedQueue<>();
    private final Queue<ExportMetricsServiceRequest> received = new ConcurrentLinkedQueue<>();
    private HttpServer receiver;

    @BeforeEach
    void start() throws IOException {
        receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        receiver.createContext("/", exchange -> {
            try (exchange) {
                paths.add(exchange.getRequestURI().getPath());
                received.add(ExportMetricsServiceRequest.parseFrom(exchange.getRequestBody()));
                exchange.sendResponseHeaders(200, -1);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        receiver.start();
    }

    @AfterEach
    void stop() {
        receiver.stop(0);
    }

    private URI url(String path) {
        return URI.create("http://127.0.0.1:" + receiver.getAddress().getPort() + path);
    }

    private void run(String path) {
        assertThat(failures(url(path))).isEmpty();
    }

    private static List<String> failures(URI receiver) {
        RunResult run = Samples.closed();
        List<String> failures = new CopyOnWriteArrayList<>();
        try (RunMetrics metrics = new RunMetrics(receiver, failures::add)) {
            metrics.begins(run);
            run.intervals().forEach(metrics::interval);
            metrics.ends(run);
        }
        return failures;
    }

    /** The metric of this name in the last request that has it. */
    private Metric last(String name) {
        return received.stream()
                .flatMap(request -> request.getResourceMetricsList().stream())
                .flatMap(resource -> resource.getScopeMetricsList().stream())
                .flatMap(scope -> scope.getMetricsList().stream())
                .filter(metric -> metric.getName().equals(name))
                .reduce((a, b) -> b)
                .orElseThrow();
    }

    private static boolean has(List<KeyValue> attributes, String... pairs) {
        return Stream.iterate(0, i -> i < pairs.length, i -> i + 2)
                .allMatch(i -> attributes.stream()
                        .anyMatch(a -> a.getKey().equals(pairs[i])
                                && a.getValue().getStringValue().equals(pairs[i + 1])));
    }

    @Test
    void receiverGetsTheTotalsOfTheResult() {
        RunResult run = Samples.closed();

        run("");

        assertThat(paths).isNotEmpty().containsOnly("/v1/metrics");
        NumberDataPoint ok = last("pgstress.operations").getSum().getDataPointsList().stream()
                .filter(point -> has(point.getAttributesList(), "outcome", "ok", "phase", "measure"))
                .findFirst()
                .orElseThrow();
        long measured = run.intervals().stream()
                .filter(i -> i.phase().equals("measure"))
                .mapToLong(i -> i.counts().ok())
                .sum();
        assertThat(ok.getAsDouble()).isEqualTo((double) measured).isPositive();
        HistogramDataPoint total = last("pgstress.latency").getHistogram().getDataPointsList().stream()
                .filter(point -> has(point.getAttributesList(), "kind", "total", "phase", "measure"))
                .findFirst()
                .orElseThrow();
        assertThat(total.getCount()).isPositive();
        assertThat(last("pgstress.latency").getUnit()).isEqualTo("seconds");
        assertThat(total.getSum() / total.getCount())
                .isCloseTo(Objects.requireNonNull(run.headline(run.total())).mean() / 1e6, withinPercentage(5));
    }

    @Test
    void aReceiverThatDoesNotAnswerHoldsUpNobodyAndIsToldOnce() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            assertThat(failures(URI.create("http://user:sesame@127.0.0.1:" + silent.getLocalPort())))
                    .containsExactly("metrics cannot be sent to 127.0.0.1: Read timed out");
        }
    }

    @Test
    void aReceiverThatIsAwayIsToldOnce() {
        receiver.stop(0);

        assertThat(failures(url(""))).containsExactly("metrics cannot be sent to 127.0.0.1: Connection refused");
    }

    @Test
    void urlWithAPathIsUsedAsItIs() {
        run("/otlp/v1/metrics");

        assertThat(paths).isNotEmpty().containsOnly("/otlp/v1/metrics");
    }
}
