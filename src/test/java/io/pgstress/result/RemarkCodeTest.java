package io.pgstress.result;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The list of all remarks, and the table of them in {@code docs/measurement.md}. */
final class RemarkCodeTest {
    private static final Path PAGE = Path.of("docs/measurement.md");
    private static final Pattern FIGURE = Pattern.compile("\\{(\\w+)(:[,0-9.]*[df])?}");

    /** The rows of the table as they should be. */
    private static List<String> rows() {
        return Stream.of(RemarkCode.values())
                .map(code ->
                        "| `" + code + "` | " + seen(code) + " | " + code.consequence() + " | " + code.action() + " |")
                .toList();
    }

    /** The sentence with the names of its figures. */
    private static String seen(RemarkCode code) {
        return FIGURE.matcher(code.sentence()).replaceAll("*$1*");
    }

    @Test
    void pageHasTheTableOfAllCodes() throws IOException {
        List<String> page = Files.readAllLines(PAGE).stream()
                .filter(line -> line.matches("\\| `[A-Z][A-Z0-9_]+` \\|.*"))
                .toList();
        assertThat(rows().stream().filter(row -> !page.contains(row)))
                .as("rows that are missing")
                .isEmpty();
        assertThat(page.stream().filter(row -> !rows().contains(row)))
                .as("rows to remove")
                .isEmpty();
        assertThat(page.equals(rows()))
                .as("the order of the rows is that of the codes")
                .isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void sentenceHasItsFigures(RemarkCode code) {
        assertThat(code.sentence().replaceAll(FIGURE.pattern(), "")).doesNotContain("{", "}");
        assertThat(code.figures()).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @EnumSource
    void saysWhatFollowsAndWhatToDo(RemarkCode code) {
        for (String text : List.of(code.consequence(), code.action())) {
            assertThat(text).endsWith(".").doesNotContain("|").matches("[A-Z].*");
        }
    }

    @Test
    void namesOfCodesAreStable() {
        assertThat(Arrays.stream(RemarkCode.values()).map(Enum::name))
                .allMatch(name -> name.matches("[A-Z][A-Z0-9_]*"));
    }
}
