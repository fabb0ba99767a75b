package io.pgstress.report.text;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.report.MoreSamples;
import io.pgstress.report.Samples;
import io.pgstress.report.file.ReportFormat;
import io.pgstress.result.Comparison;
import io.pgstress.result.Latency;
import io.pgstress.result.RateSearch;
import io.pgstress.result.Result;
import io.pgstress.result.RunResult;
import io.pgstress.text.Json;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

final class BenchmarkJsonTest {
    private final RunResult run = Samples.closed();

    private static Object written(ReportFormat format, Result... results) throws IOException {
        StringBuilder out = new StringBuilder();
        format.write(List.of(results), out);
        return Objects.requireNonNull(Json.readMap("{\"all\": " + out + "}").get("all"));
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Map<String, Map<String, Number>>> bmf(Result... results) throws IOException {
        return (Map<String, Map<String, Map<String, Number>>>) written(BenchmarkJson.BENCHER, results);
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> github(Result... results) throws IOException {
        return (List<Map<String, Object>>) written(BenchmarkJson.GITHUB, results);
    }

    /** Bencher's own measures are operations per second and nanoseconds. */
    @Test
    void bencherGetsTheThroughputAndTheLatencyInNanoseconds() throws IOException {
        Latency latency = Objects.requireNonNull(run.headline(run.total()));

        Map<String, Map<String, Number>> measures =
                bmf(run).get(TextReport.of(run).title());

        assertThat(measures.get("throughput"))
                .containsEntry("value", run.total().opsPerSecond());
        double least = measures.get("throughput").get("lower_value").doubleValue();
        double most = measures.get("throughput").get("upper_value").doubleValue();
        assertThat(run.total().opsPerSecond()).isBetween(least, most);
        assertThat(run.intervals().stream().map(i -> i.rates().opsPerSecond())).contains(least, most);
        assertThat(measures.get("latency"))
                .containsEntry("value", latency.p50() * 1000)
                .containsEntry("upper_value", latency.p99() * 1000);
        assertThat(measures.get("latency-p99")).containsOnly(Map.entry("value", latency.p99() * 1000));
    }

    @Test
    void githubGetsFiguresThatAreBetterIfBigger() throws IOException {
        assertThat(github(run)).singleElement().satisfies(one -> {
            assertThat(one).containsOnlyKeys("name", "unit", "value", "range", "extra");
            assertThat(one)
                    .containsEntry("unit", "ops/s")
                    .containsEntry("value", run.total().opsPerSecond());
            assertThat((String) one.get("extra")).contains("p99 ", ": valid");
        });
    }

    @Test
    void resultsThatAreNotValidAreLeftOut() throws IOException {
        RunResult notValid = run.withRemarks(Samples.reasons("a node was gone"), List.of());

        assertThat(bmf(notValid)).isEmpty();
        assertThat(github(notValid)).isEmpty();
        assertThat(github(notValid, run)).hasSize(1);
    }

    @Test
    void comparisonHasABenchmarkPerVariant() throws IOException {
        Comparison comparison = MoreSamples.comparison();

        Map<String, Map<String, Map<String, Number>>> all = bmf(comparison);

        assertThat(all.keySet()).hasSize(3).anyMatch(name -> name.endsWith(" | extended"));
        comparison.variants().forEach(variant -> {
            Map<String, Map<String, Number>> measures = all.entrySet().stream()
                    .filter(e -> e.getKey().endsWith(" | " + variant.name()))
                    .findFirst()
                    .orElseThrow()
                    .getValue();
            assertThat(measures.get("throughput"))
                    .containsEntry("value", variant.opsPerSecond())
                    .containsKeys("lower_value", "upper_value");
        });
    }

    @Test
    void searchHasItsRateWithItsInterval() throws IOException {
        RateSearch search = MoreSamples.rateSearch();

        assertThat(bmf(search).values())
                .singleElement()
                .satisfies(measures -> assertThat(measures)
                        .containsOnlyKeys("throughput")
                        .containsEntry(
                                "throughput",
                                Map.of("value", 8_200.0, "lower_value", 8_050.0, "upper_value", 8_400.0)));
        assertThat(bmf(MoreSamples.scaling()).values())
                .singleElement()
                .satisfies(measures -> assertThat(measures).containsKeys("throughput", "latency"));
    }

    @Test
    void equalLoadsAreNumbered() throws IOException {
        String title = TextReport.of(run).title();

        assertThat(bmf(run, run).keySet()).containsExactly(title, title + " (2)");
    }
}
