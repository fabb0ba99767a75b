package io.pgstress.report.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import io.pgstress.compare.statistics.UslFit;
import io.pgstress.result.Scaling;
import io.pgstress.testing.Slow;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the pages of comparisons and thread scalings say first, and how their charts show it, in headless Chromium. */
@Slow
final class FindingPagesTest extends PageInChromium {
    @Test
    void theVerdictIsTheHeadline() throws IOException {
        show("comparison");

        assertThat(text("h2")).isEqualTo("extended is 9.0% slower than prepared (6.0 to 11.5%)");
        assertThat(text(".subject")).asString().startsWith("Comparison");
        assertThat(texts(".effects li"))
                .isEqualTo(List.of("✗extended 9.0% slower (6.0 to 11.5%)", "=plain the same (−1.5 to +0.5%)"));
        show("scaling");
        assertThat(text("h2")).isEqualTo("16 clients are enough: 8,681 ops/s, p99 5.10 ms");
    }

    /** A verdict is in words, not only in color, and a result that is not valid has none. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1.31 | 1.27 | 1.35 | faster | v is 31% faster than b (27 to 35%)",
                "0.8 | 0.643 | 0.999 | slower | v is 20.0% slower than b (0.1 to 35.7%)",
                "1.001 | 0.985 | 1.01 | same | v is the same as b within 2% (−1.5 to +1.0%)",
                "1.0 | 0.86 | 1.16 | undecided | v compared with b is undecided after 9 rounds (−14 to +16%)",
                "3.0 | 2.0 | 4.0 | undecided | v compared with b is undecided after 9 rounds (+100 to +300%)"
            })
    void saysByHowMuchAndHowSure(double ratio, double low, double high, String verdict, String words)
            throws IOException {
        show("comparison");

        String effect = "{variant: 'v', metric: 'opsPerSecond', ratio: %s, low: %s, high: %s, verdict: '%s', rounds: 9}"
                .formatted(ratio, low, high, verdict);
        assertThat(browser.evaluate("sentenceOf(" + effect + ", {baseline: 'b', margin: 0.02})"))
                .isEqualTo(words);
        assertThat(browser.evaluate("""
                (() => {
                  const [badge] = BADGES;
                  BADGES[0] = {...badge, state: 'not_valid'};
                  const headline = headlineOfComparison(RESULTS[0]);
                  BADGES[0] = badge;
                  return headline;
                })()""")).isNull();
    }

    @Test
    void betterIsMarkedByDirection() throws IOException {
        show("comparison");

        String axisName =
                "[...document.querySelectorAll('#%s svg text')].map((e) => e.textContent).filter((x) => /worse|better/.test(x)).join(' ')";
        assertThat(browser.evaluate(axisName.formatted("run0-forest"))).isEqualTo("◀ worse better ▶");
        assertThat(browser.evaluate(axisName.formatted("run0-forest-times"))).isEqualTo("◀ better worse ▶");
    }

    /** One line per round with a block of each variant, not one per variant. */
    @Test
    void blocksOfARoundAreJoined() throws IOException {
        show("real-comparison");

        assertThat(browser.evaluate("__charts.find((c) => c.id === 'run0-rounds').series.map((s) => s.points)"))
                .isEqualTo(
                        browser.evaluate(
                                "[...new Set(RESULTS[0].blocks.map((b) => b.round))].map((r) => RESULTS[0].blocks.filter((b) => b.round === r).length)"));
    }

    @Test
    void barsStartAtZeroAndHaveTheIntervalOfTheRatio() throws IOException {
        show("real-comparison");

        Object option = browser.evaluate("""
                (() => {
                  const entry = charts.find((c) => c.spec.id === 'run0-rates');
                  const option = entry.spec.option(theme(), false);
                  const e = RESULTS[0].effects.find((x) => x.metric === 'opsPerSecond');
                  const whisker = option.series[1].data.slice(0, 2).map((p) => p[0] / RESULTS[0].variants[0].opsPerSecond);
                  return [option.xAxis.min, Math.abs(whisker[0] - e.low) < 1e-9, Math.abs(whisker[1] - e.high) < 1e-9];
                })()""");
        assertThat(option).isEqualTo(List.of(0, true, true));
    }

    /** The reference is the fit itself: at one client, the curve is lambda. */
    @Test
    void theBandOfTheFitFollowsFromItsIntervals() throws IOException {
        Scaling scaling = (Scaling) show("real-scaling").get(0);
        double[] clients =
                scaling.steps().stream().mapToDouble(Scaling.Step::clients).toArray();
        double[] ops =
                scaling.steps().stream().mapToDouble(Scaling.Step::opsPerSecond).toArray();
        UslFit.Coefficients fit = UslFit.of(clients, ops, 0.95).orElseThrow();

        assertThat(number("bandOf(RESULTS[0], [1])[0][1]"))
                .isCloseTo(fit.lambda().low(), offset(0.1));
        assertThat(number("bandOf(RESULTS[0], [1])[0][2]"))
                .isCloseTo(fit.lambda().high(), offset(0.1));
        // kappa's interval follows from the same covariances
        assertThat(number("""
                        (() => {
                          const slopes = RESULTS[0].steps.map((s) => slopesAt(RESULTS[0].fit, s.clients));
                          const c = inverse3([0, 1, 2].map((i) => [0, 1, 2].map((j) => slopes.reduce((sum, g) => sum + g[i] * g[j], 0))));
                          const l = RESULTS[0].fit.lambda;
                          return Math.log(l.high / l.low) / 2 * Math.sqrt(c[2][2] / c[0][0]);
                        })()""")).isCloseTo(fit.kappa().high() - fit.kappa().value(), offset(1e-7));
        assertThat(
                        browser.evaluate(
                                "bandOf(RESULTS[0]).every(([n, low, high]) => low < fitted(RESULTS[0].fit, n) && fitted(RESULTS[0].fit, n) < high)"))
                .isEqualTo(true);
    }

    @Test
    void clientsAreOnALogarithmicAxisWithTicksAtTheMeasuredNumbers() throws IOException {
        show("scaling");

        assertThat(browser.evaluate("charts.map((c) => c.spec.option(theme(), false).xAxis.type)"))
                .isEqualTo(List.of("log", "log"));
        assertThat(
                        (List<?>)
                                browser.evaluate(
                                        "[...document.querySelectorAll('#run0-scaling svg text')].map((e) => e.textContent).filter((x) => /^\\d\\d?$/.test(x) && x !== '0')"))
                .isEqualTo(List.of("1", "2", "4", "8", "16", "32", "64"));
    }

    @Test
    void theKneeHasItsRangeOrIsNotDetermined() throws IOException {
        open("scaling");
        assertThat(browser.evaluate("kneeWords(RESULTS[0])"))
                .isEqualTo("The knee is at 16 clients; 8 clients are not enough.");
        assertThat(range()).isEqualTo(List.of(8, 16));

        browser.evaluate("RESULTS[0].knee = null; RESULTS[0].kneeSearch.toClients = 32");
        assertThat(browser.evaluate("headlineOfScaling(RESULTS[0])"))
                .isEqualTo("The knee is not determined: it is from 16 to 32 clients; 8 clients are not enough");
        assertThat(range()).isEqualTo(List.of(16, 32));

        browser.evaluate("RESULTS[0].kneeSearch.toClients = null");
        assertThat((String) browser.evaluate("kneeWords(RESULTS[0])"))
                .startsWith("The knee was not reached: throughput still rose");
    }

    private static Object range() {
        return browser.evaluate("kneeArea(RESULTS[0], theme()).markArea.data[0].map((end) => end.xAxis)");
    }

    /** As wide as a phone, or as one of three pages beside each other: nothing is cut off at the right. */
    @ParameterizedTest
    @ValueSource(strings = {"real-comparison", "severalOfAKind", "real-scaling"})
    void nothingIsCutOffOnANarrowPage(String name) throws IOException {
        useOwnTab();
        browser.send(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", 420, "height", 900, "deviceScaleFactor", 1, "mobile", false));
        try {
            open(name);
            browser.evaluate(DRAWN);
            assertThat((List<?>) browser.evaluate("""
                    document.querySelectorAll('figure details').forEach((d) => { d.fill(); d.open = true; });
                    [document.documentElement, ...document.querySelectorAll('.scroll')].filter((e) => e.scrollWidth > e.clientWidth + 1)
                      .map((e) => (e.ariaLabel || 'page') + ': ' + e.scrollWidth + ' > ' + e.clientWidth)""")).isEmpty();
        } finally {
            browser.send("Emulation.clearDeviceMetricsOverride", Map.of());
        }
    }

    private static double number(String script) {
        return ((Number) browser.evaluate(script)).doubleValue();
    }

    private static Object text(String selector) {
        return browser.evaluate("document.querySelector('" + selector + "').textContent");
    }

    private static Object texts(String selector) {
        return browser.evaluate("[...document.querySelectorAll('" + selector + "')].map((e) => e.textContent)");
    }
}
