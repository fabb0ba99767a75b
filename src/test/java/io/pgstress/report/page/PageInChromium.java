package io.pgstress.report.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pgstress.report.file.AtomicFile;
import io.pgstress.report.page.Browser.Tab;
import io.pgstress.result.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** Opens pages of sample results in headless Chromium. */
abstract class PageInChromium {
    /** Waits until all charts are drawn; fails with what is missing after 30 seconds. */
    static final String DRAWN = """
            new Promise((done) => {
              const until = performance.now() + 30000;
              const look = () => {
                const missing = document.querySelectorAll('figure .plot').length - __charts.filter((c) => c.drawn).length;
                if (missing === 0 || performance.now() > until) { done(missing); } else { setTimeout(look, 20); }
              };
              look();
            })""";

    /** Each tab takes memory; the one that was used least recently is closed for another. */
    private static final int MAX_TABS = 5;

    static Browser browser;

    private record Shown(Tab tab, List<Result> results) {}

    /** The pages that tests share, by name, in the order of their last use. */
    private static final Map<String, Shown> SHARED = new LinkedHashMap<>();

    private static Tab own;

    @TempDir
    static Path directory;

    /** All classes of this JVM use one browser, which ends with it. */
    @BeforeAll
    static void start() throws IOException {
        Optional<Path> program = Browser.program();
        assumeTrue(program.isPresent(), "the HTML page in a browser: no Chromium on the PATH");
        if (browser == null) {
            browser = Browser.start(
                    program.get(),
                    Files.createDirectories(Path.of("target", "chromium"))
                            .resolve("profile" + ProcessHandle.current().pid())
                            .toAbsolutePath());
            own = browser.openTab();
            Runtime.getRuntime().addShutdownHook(new Thread(browser::close));
        }
    }

    /** Uses the tab that no other test sees, whose emulation a test may change. */
    static void useOwnTab() {
        browser.use(own);
    }

    /** Opens the page of a sample anew in this test's own tab. */
    static List<Result> open(String name) throws IOException {
        useOwnTab();
        return load(name);
    }

    /** Shows the page of a sample, which may be open already: for tests that change nothing, but may unfold tables. */
    static List<Result> show(String name) throws IOException {
        Shown shown = SHARED.remove(name);
        if (shown == null) {
            if (SHARED.size() == MAX_TABS) {
                browser.closeTab(SHARED.remove(SHARED.keySet().iterator().next()).tab);
            }
            shown = new Shown(browser.openTab(), load(name));
            browser.evaluate(DRAWN);
        }
        SHARED.put(name, shown);
        browser.use(shown.tab);
        return shown.results;
    }

    private static List<Result> load(String name) throws IOException {
        List<Result> results = PageSamples.results(name);
        Path page = directory.resolve(name + ".html");
        new AtomicFile(page).write(out -> new HtmlReport().write(results, out));
        browser.forgetEvents();
        browser.send("Page.navigate", Map.of("url", page.toUri().toString()));
        browser.evaluate(
                "new Promise((done) => document.readyState === 'complete' ? done() : addEventListener('load', done))");
        return results;
    }

    static void assertNoErrorNorRequest() {
        assertThat(browser.events("Runtime.exceptionThrown")).isEmpty();
        assertThat(browser.events("Runtime.consoleAPICalled")).isEmpty();
        assertThat(browser.events("Log.entryAdded")).isEmpty();
        assertThat(browser.events("Network.requestWillBeSent"))
                .extracting(e -> (String) ((Map<?, ?>) e.get("request")).get("url"))
                .allMatch(url -> url.startsWith("file:") && url.endsWith(".html"))
                .hasSizeLessThanOrEqualTo(1);
    }
}
