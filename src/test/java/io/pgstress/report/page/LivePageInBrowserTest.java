package io.pgstress.report.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.result.Network;
import io.pgstress.result.Result;
import io.pgstress.result.RunResult;
import io.pgstress.testing.Slow;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The page of a run in progress in headless Chromium. */
@Slow
final class LivePageInBrowserTest extends PageInChromium {
    /** Waits until CONDITION holds, at most 30 seconds, and returns whether it does. */
    private static final String WAIT = """
        new Promise((done) => {
          const until = performance.now() + 30000;
          const look = () => (CONDITION) || performance.now() > until ? done(CONDITION) : setTimeout(look, 20);
          look();
        })\
        """;

    @ParameterizedTest
    @ValueSource(strings = {"closed", "steps", "hosts"})
    void showsIntervalsAsTheyComeAndEndsAsTheReport(String name) throws Exception {
        List<Result> results = open(name);
        browser.evaluate(DRAWN);
        Object report = browser.evaluate("document.querySelector('main').innerText");
        RunResult run = (RunResult) results.get(0);
        browser.forgetEvents();
        try (LiveServer server = new LiveServer("", 0)) {
            server.begins(run.with(run.load()
                    .withOperations(Map.of(), run.nodes())
                    .withNetwork(Network.NONE)
                    .withIntervals(List.of(), List.of())));
            server.phase("measure", 60);
            browser.send("Page.navigate", Map.of("url", server.url()));
            assertThat(waitFor("document.querySelector('#live')?.textContent === 'Live: measurement'"))
                    .isEqualTo(true);
            run.intervals().forEach(server::interval);

            long measured = run.intervals().stream()
                    .filter(i -> i.phase().equals("measure"))
                    .count();
            assertThat(waitFor("__charts.some((c) => c.drawn && c.id === 'run0-throughput' && c.series[0]?.points === "
                            + measured + ")"))
                    .as("points of the throughput chart")
                    .isEqualTo(true);
            assertThat(browser.evaluate("document.querySelector('.badge').textContent"))
                    .isEqualTo("Running: figures so far, not judged yet");
            assertThat(browser.evaluate("!!document.querySelector('#run0-hosts')"))
                    .isEqualTo(name.equals("hosts"));
            assertThat(browser.evaluate(
                            "document.querySelector('#run0-throughput svg').textContent.includes('ops/s<')"))
                    .isEqualTo(name.equals("steps"));
            browser.evaluate("document.querySelector('#run0-throughput details').open = true");

            server.ends(run);
            assertThat(waitFor(
                            "live.ended && document.querySelector('.badge').textContent !== 'Running: figures so far,"
                                    + " not judged yet'"))
                    .isEqualTo(true);
            assertThat(browser.evaluate("document.querySelector('#run0-throughput details').open"))
                    .isEqualTo(true);
            browser.evaluate("document.querySelectorAll('details').forEach((d) => { d.open = false; })");
            browser.evaluate(DRAWN);
            assertThat(browser.evaluate("document.querySelector('main').innerText"))
                    .isEqualTo(report);
        }
        assertThat(browser.events("Runtime.exceptionThrown")).isEmpty();
        assertThat(browser.events("Runtime.consoleAPICalled")).isEmpty();
        assertThat(browser.events("Network.requestWillBeSent"))
                .extracting(e -> (String) ((Map<?, ?>) e.get("request")).get("url"))
                .allMatch(url -> url.matches("http://127\\.0\\.0\\.1:\\d+/(events\\?run=.*)?"));
    }

    private static Object waitFor(String condition) {
        return browser.evaluate(WAIT.replace("CONDITION", condition));
    }
}
