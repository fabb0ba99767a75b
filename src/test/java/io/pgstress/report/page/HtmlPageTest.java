package io.pgstress.report.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pgstress.report.BulkSample;
import io.pgstress.report.HostsSample;
import io.pgstress.report.MoreSamples;
import io.pgstress.report.Samples;
import io.pgstress.report.file.ReportFile;
import io.pgstress.report.file.ResultFile;
import io.pgstress.result.Result;
import io.pgstress.testing.Slow;
import io.pgstress.text.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The page in headless Chromium. */
@Slow
final class HtmlPageTest {
    private static final int MOST_BYTES = 3_000_000;

    /** Results of real runs on a busy two-core machine, with intervals without histograms. */
    private static final Path RECORDED = Path.of("src/test/resources/report");

    /** Waits until all charts are drawn; fails with what is missing after 30 seconds. */
    private static final String DRAWN = """
            new Promise((done) => {
              const until = performance.now() + 30000;
              const look = () => {
                const missing = document.querySelectorAll('figure .plot').length - __charts.filter((c) => c.drawn).length;
                if (missing === 0 || performance.now() > until) { done(missing); } else { setTimeout(look, 20); }
              };
              look();
            })""";

    /** Row headings, values that the facts above state in words, and the single node of a run, which equals the run. */
    private static final String NOT_IN_CELLS =
            "/0/intervals/\\d+/atSeconds|/0/serverProfile/(waitSamples|hosts/\\d+/samples/\\d+/atSeconds|explained/routes/\\d+/nodesOf)";

    private static Browser browser;

    @TempDir
    private static Path directory;

    @BeforeAll
    static void start() throws IOException {
        Optional<Path> program = Browser.program();
        assumeTrue(program.isPresent(), "the HTML page in a browser: no Chromium on the PATH");
        browser = Browser.start(program.get(), Files.createDirectory(directory.resolve("profile")));
    }

    @AfterAll
    static void stop() {
        if (browser != null) {
            browser.close();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "closed",
                "open",
                "tenMinutes",
                "nothing",
                "bulk",
                "several",
                "severalOfAKind",
                "comparison",
                "scaling",
                "everything",
                "real-closed",
                "real-outage",
                "real-comparison",
                "real-scaling"
            })
    void drawsEverySeriesWithoutAnErrorOrARequest(String name) throws IOException {
        open(name);

        assertThat(browser.evaluate(DRAWN)).isEqualTo(0);
        List<?> empty = (List<?>)
                browser.evaluate(
                        "__charts.flatMap((c) => c.series.length ? c.series.filter((s) => s.points && !s.shapes).map((s) => c.id + ': ' + s.name) : [c.id])");
        assertThat(empty).isEmpty();
        assertNoErrorNorRequest();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"everything", "bulk", "hosts", "severalOfAKind", "real-outage", "real-comparison", "real-scaling"
            })
    void figuresMatchTheResult(String name) throws IOException {
        List<Result> results = open(name);

        List<?> cells = (List<?>) browser.evaluate("""
                document.querySelectorAll('details').forEach((d) => d.fill());
                [...document.querySelectorAll('[data-path]')].filter((e) => e.dataset.path && e.dataset.value)
                  .map((e) => [e.dataset.path, Number(e.dataset.value)])""");

        Object json = Json.readMap("{\"all\":" + Json.writeLine(results) + "}").get("all");
        assertThat(cells).hasSizeGreaterThan(name.equals("real-scaling") ? 100 : 300);
        for (Object cell : cells) {
            String path = (String) ((List<?>) cell).get(0);
            double shown = ((Number) ((List<?>) cell).get(1)).doubleValue();
            assertThat(at(json, path)).as(path).isInstanceOf(Number.class);
            assertThat(shown).as(path).isCloseTo(((Number) at(json, path)).doubleValue(), within(1e-9));
        }
    }

    @Test
    void figuresUseTheReadersLocale() throws IOException {
        browser.send("Emulation.setUserAgentOverride", Map.of("userAgent", "test", "acceptLanguage", "de-DE"));
        try {
            open("open");
            assertThat(tile("p99.9")).isEqualTo("1,82 ms");
            assertThat(tile("operations per second")).isEqualTo("4.000");
        } finally {
            browser.send("Emulation.setUserAgentOverride", Map.of("userAgent", "test", "acceptLanguage", "en-US"));
        }
        open("open");
        assertThat(tile("operations per second")).isEqualTo("4,000");
    }

    private static Object tile(String label) {
        return browser.evaluate("[...document.querySelectorAll('.tile')].find((t) => t.firstChild.textContent === '"
                + label + "').lastChild.textContent");
    }

    @Test
    void showsTheThreeStatesOfValidity() throws IOException {
        open("states");

        assertThat(browser.evaluate("[...document.querySelectorAll('.verdict')].map((v) => v.className)"))
                .isEqualTo(List.of(
                        "verdict valid",
                        "verdict valid_with_warnings",
                        "verdict not_valid",
                        "verdict valid_with_warnings",
                        "verdict valid"));
        assertThat(browser.evaluate("[...document.querySelectorAll('.badge')].map((b) => b.textContent)"))
                .isEqualTo(List.of(
                        "✓ Valid",
                        "⚠ Valid, 2 warnings",
                        "✗ Not valid: a node was gone; 1 more reason",
                        "⚠ extended is slower than prepared; plain is the same as prepared within 2%, 1 warning",
                        "✓ Highest load within the limit: 8 clients, 5,859 ops/s, p99 2.50 ms"));
        List<?> colors = (List<?>) browser.evaluate(
                "[...document.querySelectorAll('.badge')].slice(0, 3).map((b) => getComputedStyle(b).color)");
        assertThat(colors).doesNotHaveDuplicates();
        assertNoErrorNorRequest();
    }

    @Test
    void comparisonWithoutTableAndMarginMentionsNeither() throws IOException {
        open("ownTables");

        String page = (String) browser.evaluate("document.querySelector('main').innerText");
        assertThat(page).contains("(own tables)").doesNotContain("0 rows", "margin of");
        open("comparison");
        assertThat((String) browser.evaluate("document.querySelector('main').innerText"))
                .contains("check_in: 40,000 rows, bigint keys", "margin of 2 %");
    }

    @Test
    void everyChartHasATextAlternativeAndItsFigures() throws IOException {
        open("open");

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
        open("bulk");
        assertThat((String) browser.evaluate(chart)).contains("bulk_copy", "rows/s", "MB/s");
        open("closed");
        assertThat((String) browser.evaluate(chart)).isEmpty();
    }

    /** Values that are not in a cell: separate texts, and histograms, whose percentiles are in the charts. */
    @ParameterizedTest
    @ValueSource(strings = {"open", "hosts", "real-closed", "real-outage"})
    void tablesContainEveryFigureOfTheMeasurement(String name) throws IOException {
        Result result = open(name).get(0);

        List<?> shown = (List<?>) browser.evaluate("""
                document.querySelectorAll('details').forEach((d) => d.fill());
                [...new Set([...document.querySelectorAll('td[data-path]')].map((e) => e.dataset.path))]""");

        List<String> missing = new ArrayList<>();
        Map<String, Object> json = Json.readMap(Json.writeLine(result));
        for (String part : List.of("operations", "nodes", "intervals", "serverProfile", "hosts")) {
            numbers(json.get(part), "/0/" + part, missing);
        }
        missing.removeAll(shown);
        boolean oneNode = ((List<?>) json.get("nodes")).size() == 1;
        missing.removeIf(path -> path.matches(NOT_IN_CELLS) || (oneNode && path.matches("/0/nodes/.*|.*/nodesOk/.*")));
        assertThat(missing).isEmpty();
    }

    private static void numbers(Object json, String path, List<String> found) {
        if (json instanceof Number) {
            found.add(path);
        } else if (json instanceof Map<?, ?> map) {
            map.forEach((k, v) ->
                    numbers(v, path + "/" + String.valueOf(k).replace("~", "~0").replace("/", "~1"), found));
        } else if (json instanceof List<?> list) {
            for (int i = 0; i < list.size(); i++) {
                numbers(list.get(i), path + "/" + i, found);
            }
        }
    }

    @Test
    void marksRateStepsAndPauses() throws IOException {
        open("steps");
        browser.evaluate(DRAWN);

        assertThat((String) browser.evaluate("""
                [...document.querySelectorAll('#run0-throughput svg text')].map((e) => e.textContent).join(' | ')""")).contains(" 4,000/s ").containsPattern("pause.*pause");
        assertThat((String) browser.evaluate("document.querySelector('#run0-throughput [role=img]').ariaLabel"))
                .contains("From 5.0 s on, the target was 4,000 ops/s.");
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

    @Test
    void tenMinutesGiveASmallAndFastPage() throws IOException {
        open("tenMinutes");
        browser.evaluate(DRAWN);

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

    private static List<Result> open(String name) throws IOException {
        List<Result> results = switch (name) {
            case "open" -> List.of(Samples.open());
            case "bulk" -> List.of(BulkSample.run());
            case "hosts" -> List.of(HostsSample.threeHosts());
            case "steps" -> List.of(Samples.steps());
            case "tenMinutes" -> List.of(Samples.tenMinutes());
            case "nothing" -> List.of(Samples.nothing());
            case "states" ->
                List.of(
                        Samples.closed(),
                        Samples.closed().withRemarks(List.of(), List.of("a warning", "another")),
                        Samples.closed().withRemarks(List.of("a node was gone", "more"), List.of("a warning")),
                        MoreSamples.comparison(),
                        MoreSamples.scaling());
            case "ownTables" -> List.of(MoreSamples.onOwnTables());
            case "comparison" -> List.of(MoreSamples.comparison());
            case "scaling" -> List.of(MoreSamples.scaling());
            case "everything" ->
                List.of(Samples.closed(), Samples.open(), MoreSamples.comparison(), MoreSamples.scaling());
            case "severalOfAKind" ->
                List.of(
                        MoreSamples.comparison(),
                        MoreSamples.comparison(),
                        MoreSamples.scaling(),
                        MoreSamples.scaling());
            case "several" -> List.of(Samples.closed(), Samples.open());
            case "closed" -> List.of(Samples.closed());
            default -> List.of(ResultFile.read(RECORDED.resolve(name + ".json")));
        };
        Path page = directory.resolve(name + ".html");
        new ReportFile(new HtmlReport(), page).write(results);
        browser.forgetEvents();
        browser.send("Page.navigate", Map.of("url", page.toUri().toString()));
        browser.evaluate(
                "new Promise((done) => document.readyState === 'complete' ? done() : addEventListener('load', done))");
        return results;
    }

    private static void assertNoErrorNorRequest() {
        assertThat(browser.events("Runtime.exceptionThrown")).isEmpty();
        assertThat(browser.events("Runtime.consoleAPICalled")).isEmpty();
        assertThat(browser.events("Log.entryAdded")).isEmpty();
        assertThat(browser.events("Network.requestWillBeSent"))
                .extracting(e -> (String) ((Map<?, ?>) e.get("request")).get("url"))
                .allMatch(url -> url.startsWith("file:") && url.endsWith(".html"))
                .hasSizeLessThanOrEqualTo(1);
    }

    /** The value at a JSON Pointer. */
    private static Object at(Object json, String pointer) {
        Object value = json;
        List<String> names = new ArrayList<>(List.of(pointer.substring(1).split("/")));
        for (String name : names) {
            String key = name.replace("~1", "/").replace("~0", "~");
            value = value instanceof List<?> list ? list.get(Integer.parseInt(key)) : ((Map<?, ?>) value).get(key);
        }
        return value;
    }
}
