package io.pgstress.report.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.testing.Slow;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The pages by axe-core's rules, in both color schemes, and by keyboard. */
@Slow
final class AccessibilityTest extends PageInChromium {
    private static final String VIOLATIONS = """
            axe.run(%s, {resultTypes: ['violations'], runOnly: %s})
              .then((found) => found.violations.map((v) => v.id + ': ' + v.nodes.length + ' times, '
                + v.nodes.slice(0, 3).map((n) => n.html.slice(0, 200) + ' ' + n.failureSummary).join(' | ')))""";

    private static final String ALL = "['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']";
    /** Further rows of a table are like the first two: without them, the rules take half the time. */
    private static final String TWO_ROWS =
            "document.querySelectorAll('tbody tr:nth-child(n + 3)').forEach((row) => row.remove());";

    private static final String VERDICTS_ONLY =
            "document.querySelectorAll('section > :not(h2, .verdict)').forEach((part) => part.remove());";

    /** Of these, the ones that read colors: nothing else depends on the color scheme. */
    private static final String OF_COLORS = "{type: 'rule', values: ['color-contrast', 'link-in-text-block']}";

    @ParameterizedTest
    @ValueSource(strings = {"open", "hosts", "comparison", "scaling"})
    void hasNoViolationsInEitherColorScheme(String name) throws IOException {
        open(name);
        browser.evaluate(DRAWN);
        browser.evaluate(
                "[...document.querySelectorAll('figure details')].slice(0, 3).forEach((d) => { d.open = true; d.fill(); })");
        browser.evaluate(TWO_ROWS + axe() + ";0");

        assertNoViolations("document", "light", ALL);
        assertNoViolations("document", "dark", OF_COLORS);
    }

    @Test
    void everyStateOfValidityCanBeRead() throws IOException {
        open("states");
        browser.evaluate(VERDICTS_ONLY + axe() + ";0");

        assertNoViolations("'.verdict'", "light", OF_COLORS);
        assertNoViolations("'.verdict'", "dark", OF_COLORS);
    }

    @AfterEach
    void colorsAsBefore() {
        browser.send("Emulation.setEmulatedMedia", Map.of("features", List.of()));
    }

    private static void assertNoViolations(String part, String scheme, String rules) {
        browser.send(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
        assertThat((List<?>) browser.evaluate(VIOLATIONS.formatted(part, rules)))
                .as(scheme)
                .isEmpty();
    }

    @Test
    void theFirstTabStopSkipsToTheResult() throws IOException {
        open("open");
        for (String type : List.of("keyDown", "keyUp")) {
            browser.send(
                    "Input.dispatchKeyEvent",
                    Map.of("type", type, "key", "Tab", "code", "Tab", "windowsVirtualKeyCode", 9));
        }

        assertThat(browser.evaluate("document.activeElement.textContent")).isEqualTo("Skip to the result");
        assertThat((Boolean) browser.evaluate("document.activeElement.getBoundingClientRect().left >= 0"))
                .isTrue();
        assertThat((Boolean) browser.evaluate(
                        "document.querySelector(document.activeElement.getAttribute('href')).tagName === 'MAIN'"))
                .isTrue();
    }

    @Test
    void everyTableHasACaptionAndHeadings() throws IOException {
        show("everything");

        assertThat((List<?>) browser.evaluate("""
                document.querySelectorAll('details').forEach((d) => d.fill && d.fill());
                [...document.querySelectorAll('table')].filter((t) => !t.caption || !t.caption.textContent
                  || !t.querySelector('thead th[scope=col]') || [...t.querySelectorAll('tbody tr')].some((r) => !r.querySelector('th[scope=row]')))
                  .map((t) => t.outerHTML.slice(0, 200))""")).isEmpty();
    }

    private static String axe() throws IOException {
        try (InputStream in = AccessibilityTest.class.getResourceAsStream("/axe.min.js")) {
            return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
