package io.pgstress.report.format;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.report.Samples;
import io.pgstress.report.format.Style.When;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class StyleTest {
    @Test
    void colorsAreForTerminalsThatWantThem() {
        assertThat(Style.of(When.AUTO, true, Map.of("TERM", "xterm"))).isEqualTo(Style.COLORED);
        assertThat(Style.of(When.AUTO, true, Map.of("NO_COLOR", ""))).isEqualTo(Style.COLORED);
        assertThat(Style.of(When.AUTO, true, Map.of("NO_COLOR", "1"))).isEqualTo(Style.PLAIN);
        assertThat(Style.of(When.AUTO, true, Map.of("TERM", "dumb"))).isEqualTo(Style.PLAIN);
        assertThat(Style.of(When.AUTO, false, Map.of())).isEqualTo(Style.PLAIN);
        assertThat(Style.of(When.ALWAYS, false, Map.of("NO_COLOR", "1"))).isEqualTo(Style.COLORED);
        assertThat(Style.of(When.NEVER, true, Map.of())).isEqualTo(Style.PLAIN);
    }

    @Test
    void validityHasItsColor() {
        assertThat(ResultLine.of(Samples.closed(), Style.COLORED)).endsWith(": \u001b[32mvalid\u001b[0m");
        assertThat(ResultLine.of(Samples.open(), Style.COLORED)).contains(": \u001b[31mnot valid, ");
    }

    @Test
    void linesBreakBetweenWords() {
        assertThat(WrappedText.of("  label  some words that go on", 4, 24))
                .isEqualTo("  label  some words that\n    go on");
        assertThat(WrappedText.of("a " + "x".repeat(30) + " b", 0, 24)).isEqualTo("a\n" + "x".repeat(30) + "\nb");
        assertThat(WrappedText.of("short", 2, 40)).isEqualTo("short");
    }

    @Test
    void tableOmitsTheLeastImportantColumnsThatDoNotFit() throws IOException {
        TextTable table = new TextTable(1, List.of(List.of("name", "p50", "p99", "max"), List.of("a", "1", "2", "3")))
                .optional("p50", "max");

        StringBuilder wide = new StringBuilder();
        assertThat(table.appendTo(wide, 19)).isEmpty();
        assertThat(wide).hasToString("name  p50  p99  max\na       1    2    3\n");
        StringBuilder narrow = new StringBuilder();
        assertThat(table.appendTo(narrow, 14)).containsExactly("p50");
        assertThat(narrow).hasToString("name  p99  max\na       2    3\n");
    }
}
