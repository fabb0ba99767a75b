package io.pgstress.report.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.pgstress.result.Rehearsal;
import io.pgstress.result.Remark;
import io.pgstress.result.Result;
import io.pgstress.result.RunResult;
import io.pgstress.text.Json;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the scripts of the page create, without a browser. */
final class PageScriptsTest {
    /** Row headings, values that the facts above state in words, and the single node of a run, which equals the run. */
    private static final String NOT_IN_CELLS =
            "/0/intervals/\\d+/atSeconds|/0/serverProfile/(waitSamples|bottleneck/.*|(?:hosts|machines)/\\d+/samples/\\d+/atSeconds|explained/routes/\\d+/nodesOf)";

    /** A value that is missing or of the wrong type shows as one of these. */
    private static final String NO_VALUE = "/undefined|\\[object|\\bNaN\\b|Infinity|function/";

    /** The pages by name, with all tables unfolded. */
    private static final Map<String, ScriptedPage> PAGES = new HashMap<>();

    @AfterAll
    static void close() {
        PAGES.values().forEach(ScriptedPage::close);
        PAGES.clear();
    }

    /** The width changes the layout of charts; half of the pages are narrow. */
    private static List<?> onPage(String name, String expression) throws IOException {
        ScriptedPage page = PAGES.get(name);
        if (page == null) {
            page = new ScriptedPage(PageSamples.results(name), PAGES.size() % 2 == 0 ? 1000 : 400);
            page.evaluate("root.all().filter((e) => e.fill).map((e) => { e.fill(); return 0; })");
            PAGES.put(name, page);
        }
        return (List<?>) page.evaluate(expression);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "everything",
                "bulk",
                "hosts",
                "nothing",
                "real-closed",
                "real-outage",
                "real-comparison",
                "real-scaling",
                "rateSearch",
                "rehearsal"
            })
    void everyTextAndEveryPointOfAChartIsAValue(String name) throws IOException {
        assertThat(onPage(name, """
                root.all().filter((e) => e.tag !== 'pre').flatMap((e) => [...e.children.filter((c) => !(c instanceof Node)).map(String),
                  ...Object.values(e.attributes)]).filter((text) => %s.test(text))""".formatted(NO_VALUE))).isEmpty();
        assertThat(onPage(name, """
                (() => {
                  const wrong = (value, path) => typeof value === 'number' ? (Number.isFinite(value) ? [] : [path])
                    : typeof value === 'string' ? (%s.test(value) ? [path] : [])
                    : value && typeof value === 'object' ? Object.entries(value).flatMap(([key, part]) => wrong(part, path + '/' + key)) : [];
                  return options.flatMap((option, n) => wrong(option, charts[n].spec.id));
                })()""".formatted(NO_VALUE))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"everything", "bulk", "hosts", "real-outage", "real-comparison", "real-scaling", "rateSearch"})
    void figuresMatchTheResult(String name) throws IOException {
        List<Result> results = PageSamples.results(name);
        List<?> cells = onPage(name, """
                root.all().filter((e) => e.attributes['data-path'] && e.attributes['data-value'])
                  .map((e) => [e.attributes['data-path'], Number(e.attributes['data-value'])])""");

        Object json = Json.readMap("{\"all\":" + Json.writeLine(results) + "}").get("all");
        assertThat(cells).hasSizeGreaterThan(name.toLowerCase(Locale.ROOT).matches(".*(scaling|rate).*") ? 100 : 300);
        for (Object cell : cells) {
            String path = (String) ((List<?>) cell).get(0);
            double shown = ((Number) ((List<?>) cell).get(1)).doubleValue();
            assertThat(at(json, path)).as(path).isInstanceOf(Number.class);
            assertThat(shown).as(path).isCloseTo(((Number) at(json, path)).doubleValue(), within(1e-9));
        }
    }

    /**
     * Values that are not in a cell: separate texts, such as the bottleneck, and histograms, whose percentiles are in the charts.
     */
    @ParameterizedTest
    @ValueSource(strings = {"everything", "hosts", "real-closed", "real-outage"})
    void tablesContainEveryFigureOfTheMeasurement(String name) throws IOException {
        Result result = PageSamples.results(name).get(0);
        List<?> shown = onPage(name, """
                [...new Set(root.all().map((e) => e.attributes['data-path']).filter(Boolean))]""");

        List<String> missing = new ArrayList<>();
        Map<String, Object> json = Json.readMap(Json.writeLine(result));
        for (String part : List.of("operations", "nodes", "intervals", "serverProfile", "hosts")) {
            numbers(json.get(part), "/0/" + part, missing);
        }
        missing.removeAll(shown);
        boolean oneNode = ((List<?>) json.get("nodes")).size() == 1;
        missing.removeIf(path -> path.matches(NOT_IN_CELLS) || (oneNode && path.matches("/0/nodes/.*|.*/nodesOk/.*")));
        assertThat(missing).isEmpty();
        List<?> texts = onPage(name, "[root.textContent]");
        assertThat(Remark.texts(((RunResult) result).serverProfile().bottleneck()))
                .allMatch(((String) texts.get(0))::contains);
    }

    /** Without samples of operations, nothing is known of what else the server did. */
    @Test
    void checkpointGoesOnWhileNoOperationIsSampled() throws IOException {
        assertThat(onPage("nothing", "spans([0, 2, 0, 1, 0, 0, 3, 0, 0], (slot) => slot !== 2 && slot !== 5)"))
                .isEqualTo(List.of(List.of(1, 3), List.of(6, 6)));
    }

    /** Their names would cover each other. */
    @Test
    void whatElseTheServerDidIsMarkedByNumbers() throws IOException {
        String facts = "[['autovacuum: VACUUM ANALYZE public.orders', [[1, 2], [4, 5]]], ['checkpoint', [[1, 3]]]]";

        assertThat(onPage("nothing", "factAreas(" + facts + ", {}).map((area) => area[0].name)"))
                .isEqualTo(List.of("(1)", "", "(2)"));
    }

    /** A page of a run in progress may know them in another order than that of its result. */
    @Test
    void operationsKeepTheirColors() throws IOException {
        assertThat(onPage("nothing", "operationNames({operations: {order_by_customer: {}, find_first: {}}})"))
                .isEqualTo(List.of("find_first", "order_by_customer"));
    }

    /** The answer's color is not that of the load's validity. */
    @Test
    void answerOfARehearsalIsBeforeTheWarningsOnItsLoad() throws IOException {
        List<Result> results = PageSamples.results("rehearsal");
        String box = "root.all().find((e) => String(e.attributes.class).startsWith('verdict '))";
        try (ScriptedPage page = new ScriptedPage(results, 1000)) {
            assertThat(page.evaluate(box + ".attributes.class")).isEqualTo("verdict not_valid");
            assertThat((String) page.evaluate(box + ".textContent"))
                    .contains(Remark.texts(((Rehearsal) results.get(0)).because()))
                    .endsWith("1 warning on the load, which did not change the answer")
                    .doesNotContain(Remark.texts(results.get(0).warnings()));
        }
    }

    @Test
    void medianOfTwoTrialsIsBetweenThem() throws IOException {
        assertThat(onPage("nothing", "[median([50, 5]), median([3, 1, 2])]")).isEqualTo(List.of(27.5, 2));
    }

    /** The name of an axis takes height, too. */
    @ParameterizedTest
    @ValueSource(strings = {"open", "real-outage", "hosts"})
    void barsHaveRoomBesideTheLegendAndTheAxis(String name) throws IOException {
        List<?> heights = onPage(name, """
                charts.map((c, n) => [c.spec, options[n]]).filter(([spec]) => spec.groups)
                  .map(([spec, o]) => (heightOf(spec) - o.grid.top - o.grid.bottom - (spec.axisName ? 16 : 0)) / spec.groups.length)""");
        assertThat(heights).isNotEmpty().allMatch(height -> ((Number) height).doubleValue() >= 16);
    }

    @Test
    void threeWarningsAreShownAndTheOthersAreFolded() throws IOException {
        List<Result> results = PageSamples.results("warnings");
        List<String> texts = Remark.texts(results.get(0).warnings());
        String box = "root.all().find((e) => String(e.attributes.class).startsWith('verdict ')).textContent";
        try (ScriptedPage page = new ScriptedPage(results, 1000)) {
            assertThat((String) page.evaluate(box))
                    .contains(texts.subList(0, 3))
                    .contains("and 2 more warnings")
                    .doesNotContain(texts.subList(3, 5));
            page.evaluate("root.all().filter((e) => e.fill).map((e) => { e.fill(); return 0; })");
            assertThat((String) page.evaluate(box)).contains(texts);
        }
    }

    /** The classes of the first parts of the verdict. */
    @Test
    void resultThatIsNotValidSaysWhyBeforeItsFigures() throws IOException {
        assertThat(onPage("states", """
                root.all().find((e) => e.attributes.class === 'verdict not_valid').children.slice(0, 4).map((e) => e.attributes.class)""")).isEqualTo(List.of("badge", "reason", "reason", "tiles"));
        String tiles =
                "root.all().filter((e) => String(e.attributes.class).split(' ')[0] === 'tile').map((e) => e.textContent)";
        assertThat(onPage("scalingNotValid", tiles)).isEmpty();
        assertThat(onPage("scaling", tiles)).hasSize(6);
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
