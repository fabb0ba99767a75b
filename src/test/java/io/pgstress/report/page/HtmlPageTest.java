package io.pgstress.report.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.result.Remark;
import io.pgstress.testing.Slow;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The texts of the page that depend on a browser, in headless Chromium. */
@Slow
final class HtmlPageTest extends PageInChromium {
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
    void threeWarningsAreShownAndTheOthersAreFolded() throws IOException {
        List<String> texts = Remark.texts(open("warnings").get(0).warnings());

        assertThat((String) browser.evaluate("document.querySelector('.verdict').textContent"))
                .contains(texts.subList(0, 3))
                .contains("and 2 more warnings")
                .doesNotContain(texts.subList(3, 5));
        browser.evaluate("document.querySelector('.verdict details').fill()");
        assertThat((String) browser.evaluate("document.querySelector('.verdict').textContent"))
                .contains(texts);
    }

    @Test
    void resultThatIsNotValidSaysWhyBeforeItsFigures() throws IOException {
        show("states");
        assertThat(
                        browser.evaluate(
                                "[...document.querySelector('.verdict.not_valid').children].slice(0, 4).map((e) => e.className)"))
                .isEqualTo(List.of("badge", "reason", "reason", "tiles"));

        show("scalingNotValid");
        assertThat(browser.evaluate("document.querySelectorAll('.tile').length"))
                .isEqualTo(0);
        show("scaling");
        assertThat(browser.evaluate("document.querySelectorAll('.tile').length"))
                .isEqualTo(6);
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
}
