package io.pgstress.report.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.pgstress.result.Remark;
import io.pgstress.result.Result;
import io.pgstress.result.RunResult;
import io.pgstress.testing.Slow;
import io.pgstress.text.Json;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The figures and texts of the page in headless Chromium. */
@Slow
final class HtmlPageTest extends PageInChromium {
    /** Row headings, values that the facts above state in words, and the single node of a run, which equals the run. */
    private static final String NOT_IN_CELLS =
            "/0/intervals/\\d+/atSeconds|/0/serverProfile/(waitSamples|bottleneck/.*|(?:hosts|machines)/\\d+/samples/\\d+/atSeconds|explained/routes/\\d+/nodesOf)";

    @ParameterizedTest
    @ValueSource(
            strings = {"everything", "bulk", "hosts", "real-outage", "real-comparison", "real-scaling", "rateSearch"})
    void figuresMatchTheResult(String name) throws IOException {
        List<Result> results = show(name);

        List<?> cells = (List<?>) browser.evaluate("""
                document.querySelectorAll('details').forEach((d) => d.fill());
                [...document.querySelectorAll('[data-path]')].filter((e) => e.dataset.path && e.dataset.value)
                  .map((e) => [e.dataset.path, Number(e.dataset.value)])""");

        Object json = Json.readMap("{\"all\":" + Json.writeLine(results) + "}").get("all");
        assertThat(cells).hasSizeGreaterThan(name.toLowerCase(Locale.ROOT).matches(".*(scaling|rate).*") ? 100 : 300);
        for (Object cell : cells) {
            String path = (String) ((List<?>) cell).get(0);
            double shown = ((Number) ((List<?>) cell).get(1)).doubleValue();
            assertThat(at(json, path)).as(path).isInstanceOf(Number.class);
            assertThat(shown).as(path).isCloseTo(((Number) at(json, path)).doubleValue(), within(1e-9));
        }
    }

    @Test
    void figuresUseTheReadersLocale() throws IOException {
        useOwnTab();
        browser.send("Emulation.setUserAgentOverride", Map.of("userAgent", "test", "acceptLanguage", "de-DE"));
        try {
            open("open");
            assertThat(tile("p99")).isEqualTo("1,27 ms");
            assertThat(tile("ops/s")).isEqualTo("4.000");
        } finally {
            browser.send("Emulation.setUserAgentOverride", Map.of("userAgent", "test", "acceptLanguage", "en-US"));
        }
        open("open");
        assertThat(tile("ops/s")).isEqualTo("4,000");
    }

    private static Object tile(String label) {
        return browser.evaluate("[...document.querySelectorAll('.tile')].find((t) => t.firstChild.textContent === '"
                + label + "').lastChild.textContent");
    }

    @Test
    void showsTheThreeStatesOfValidity() throws IOException {
        show("states");

        assertThat(browser.evaluate("[...document.querySelectorAll('.verdict')].map((v) => v.className)"))
                .isEqualTo(List.of(
                        "verdict valid",
                        "verdict valid_with_warnings",
                        "verdict not_valid",
                        "verdict valid_with_warnings",
                        "verdict valid"));
        assertThat(browser.evaluate("[...document.querySelectorAll('.badge')].map((b) => b.textContent)"))
                .isEqualTo(List.of("✓ Valid", "⚠ Valid, 2 warnings", "✗ Not valid", "⚠ Valid, 1 warning", "✓ Valid"));
        List<?> colors = (List<?>) browser.evaluate(
                "[...document.querySelectorAll('.badge')].slice(0, 3).map((b) => getComputedStyle(b).color)");
        assertThat(colors).doesNotHaveDuplicates();
        assertNoErrorNorRequest();
    }

    @Test
    void comparisonWithoutTableAndMarginMentionsNeither() throws IOException {
        show("ownTables");

        String page = (String) browser.evaluate("document.querySelector('main').innerText");
        assertThat(page).contains("(own tables)").doesNotContain("0 rows", "margin of");
        show("comparison");
        assertThat((String) browser.evaluate("document.querySelector('main').innerText"))
                .contains("check_in: 40,000 rows, 27.3 MB, bigint ids", "margin of 2 %");
    }

    /**
     * Values that are not in a cell: separate texts, such as the bottleneck, and histograms, whose percentiles are in the charts.
     */
    @ParameterizedTest
    @ValueSource(strings = {"open", "hosts", "real-closed", "real-outage"})
    void tablesContainEveryFigureOfTheMeasurement(String name) throws IOException {
        Result result = show(name).get(0);

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
        String page = (String) browser.evaluate("document.querySelector('main').textContent");
        assertThat(Remark.texts(((RunResult) result).serverProfile().bottleneck()))
                .allMatch(page::contains);
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
