package io.pgstress.report.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.testing.Slow;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The charts of the page in headless Chromium. */
@Slow
final class PageChartsTest extends PageInChromium {
    private static final int MOST_BYTES = 3_000_000;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "tenMinutes",
                "nothing",
                "bulk",
                "severalOfAKind",
                "everything",
                "real-closed",
                "real-outage",
                "real-comparison",
                "real-scaling",
                "rateSearch",
                "rehearsal"
            })
    void drawsEverySeriesWithoutAnErrorOrARequest(String name) throws IOException {
        show(name);

        assertThat(browser.evaluate(DRAWN)).isEqualTo(0);
        if (name.equals("tenMinutes")) {
            assertSmallAndFast();
        }
        List<?> empty = (List<?>)
                browser.evaluate(
                        "__charts.flatMap((c) => c.series.length ? c.series.filter((s) => s.points && !s.shapes).map((s) => c.id + ': ' + s.name) : [c.id])");
        assertThat(empty).isEmpty();
        assertNoErrorNorRequest();
    }

    @Test
    void everyChartHasATextAlternativeAndItsFigures() throws IOException {
        show("open");

        assertThat((List<?>) browser.evaluate("""
                [...document.querySelectorAll('figure')].filter((f) => {
                  const plot = f.querySelector('[role=img]');
                  const details = f.querySelector('details');
                  details.fill();
                  return plot.getAttribute('aria-label').length < 30 || !details.querySelector('caption')
                    || details.querySelectorAll('tbody tr').length === 0;
                }).map((f) => f.id)""")).isEmpty();
    }

    @Test
    void drawsRowsAndBytesIfReported() throws IOException {
        String chart = "[...document.querySelectorAll('figure')].filter((f) => f.id.endsWith('-rows'))"
                + ".map((f) => f.querySelector('[role=img]').getAttribute('aria-label')).join()";
        show("bulk");
        assertThat((String) browser.evaluate(chart)).contains("bulk_copy", "rows/s", "MB/s");
        show("closed");
        assertThat((String) browser.evaluate(chart)).isEmpty();
    }

    @Test
    void showsWhereTheTimeGoesOnlyIfThereIsMoreThanOnePart() throws IOException {
        String parts =
                "[...document.querySelectorAll('#run0-parts [role=img]')].map((p) => p.getAttribute('aria-label')).join()";
        show("open");
        assertThat((String) browser.evaluate(parts))
                .containsPattern(
                        "find_update wait for a client \\d.* ms, pool .*statement select .*statement update .*fetch");
        show("real-closed");
        assertThat((String) browser.evaluate(parts))
                .contains("statement update")
                .doesNotContain("pool", "fetch");
    }

    @Test
    void partsAddUpToTheMeanTimeOfAnOperation() throws IOException {
        show("open");

        assertThat((List<?>) browser.evaluate("""
                Object.values(RESULTS[0].operations).filter((o) => {
                  const sum = meanParts(o).reduce((all, [, mean]) => all + mean, 0);
                  return Math.abs(sum - o.latencyMicros.response.mean) > 0.01 * sum;
                })""")).isEmpty();
    }

    @Test
    void showsTheDistributionOfLatencyOverTimeWithTheWarmUpInGrey() throws IOException {
        show("closed");

        assertThat((Boolean) browser.evaluate("""
                (() => {
                  const fill = (c) => getComputedStyle(document.querySelector('#run0-map .' + c)).fill;
                  return fill('warm') !== fill('cell');
                })()""")).isTrue();
        assertThat((List<?>) browser.evaluate("""
                (() => {
                  document.querySelector('#run0-map details').fill();
                  return [...document.querySelectorAll('#run0-map tbody th')].map((e) => e.textContent).slice(2, 4);
                })()""")).isEqualTo(List.of("-1.0 (warm-up)", "0.0"));
        show("real-closed"); // has no histograms of intervals
        assertThat(browser.evaluate("document.querySelector('#run0-map')")).isNull();
    }

    @Test
    void showsRateStepsAsACurve() throws IOException {
        show("open");
        assertThat((String) browser.evaluate("document.querySelector('#run0-steps [role=img]').ariaLabel"))
                .contains("target 2,000/s, the highest sustained: 2,000 ops/s, p50 0.3")
                .contains("target 6,000/s: 5,997 ops/s");
        show("closed");
        assertThat(browser.evaluate("document.querySelector('#run0-steps')")).isNull();
    }

    @Test
    void marksRateStepsAndPauses() throws IOException {
        show("steps");

        assertThat((String) browser.evaluate("""
                [...document.querySelectorAll('#run0-throughput svg text')].map((e) => e.textContent).join(' | ')""")).contains(" 4,000/s ").containsPattern("pause.*pause");
        assertThat((String) browser.evaluate("document.querySelector('#run0-throughput [role=img]').ariaLabel"))
                .contains("From 5.0 s on, the target was 4,000 ops/s.");
    }

    /** One limit is above all values of its chart. */
    @Test
    void limitsAreLinesInTheChartsOfTheirFigures() throws IOException {
        show("steps");

        assertThat(browser.evaluate("""
                ['throughput', 'latency'].map((c) => [...document.querySelectorAll('#run0-' + c + ' svg text')]
                  .map((e) => e.textContent).filter((s) => s.includes('>') || s.includes('<')).join())""")).isEqualTo(List.of("ops/s<7000", "p99>20ms"));
    }

    @Test
    void redrawsTheChartsForDarkModeAndPrint() throws IOException {
        open("closed");
        browser.evaluate(DRAWN);
        String color = "getComputedStyle(document.body).backgroundColor";
        Object light = browser.evaluate(color);

        browser.evaluate("setTheme('dark')");
        assertThat(browser.evaluate(color)).isNotEqualTo(light);
        assertThat((Boolean) browser.evaluate("document.querySelector('svg').outerHTML.includes(theme().colors[0])"))
                .isTrue();

        browser.evaluate("dispatchEvent(new Event('beforeprint'))");
        assertThat(browser.evaluate(color)).isEqualTo("rgb(255, 255, 255)");
        browser.evaluate("dispatchEvent(new Event('afterprint'))");
        assertNoErrorNorRequest();
    }

    private static void assertSmallAndFast() throws IOException {
        assertThat(Files.size(directory.resolve("tenMinutes.html"))).isLessThan(MOST_BYTES);
        // the main thread's CPU time, because the elapsed time depends on what else runs on this machine
        browser.send("Performance.enable", Map.of());
        assertThat(metric("TaskDuration")).isLessThan(4);
    }

    private static double metric(String name) {
        List<?> metrics =
                (List<?>) browser.send("Performance.getMetrics", Map.of()).get("metrics");
        return metrics.stream()
                .map(m -> (Map<?, ?>) m)
                .filter(m -> name.equals(m.get("name")))
                .mapToDouble(m -> ((Number) m.get("value")).doubleValue())
                .sum();
    }
}
