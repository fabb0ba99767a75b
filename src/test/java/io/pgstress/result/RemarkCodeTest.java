package io.pgstress.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The list of all remarks, and the table of them in {@code docs/measurement.md}, which {@code -Dgolden.write=true} writes.
 */
final class RemarkCodeTest {
    private static final Path PAGE = Path.of("docs/measurement.md");
    private static final Pattern FIGURE = Pattern.compile("\\{(\\w+)(:[,0-9.]*[df](?:%%| s)?)?}");
    /** Errors of the server or the system, which their own message explains. */
    private static final Set<RemarkCode> WITHOUT_ACTION = EnumSet.of(
            RemarkCode.NOT_READABLE,
            RemarkCode.WAL_NOT_READABLE,
            RemarkCode.STATEMENTS_NOT_EXPLAINED,
            RemarkCode.NODES_NOT_READABLE);

    private static final Pattern ROWS = Pattern.compile("(\\| `[A-Z][A-Z0-9_]+` \\|.*\n)+");

    /** The rows of the table as they should be. */
    private static String rows() {
        return Stream.of(RemarkCode.values())
                .map(code -> Stream.of("`" + code + "`", code.cause(), code.consequence(), code.action())
                        .map(RemarkCodeTest::withNames)
                        .collect(Collectors.joining(" | ", "| ", " |\n")))
                .collect(Collectors.joining());
    }

    /** The sentence with the names of its figures. */
    private static String withNames(String sentence) {
        return FIGURE.matcher(sentence).replaceAll("*$1*");
    }

    @Test
    void pageHasTheTableOfAllCodes() throws IOException {
        String page = Files.readString(PAGE);
        String expected = ROWS.matcher(page).replaceFirst(Matcher.quoteReplacement(rows()));
        if (Boolean.getBoolean("golden.write")) {
            Files.writeString(PAGE, expected);
        }
        assertThat(Files.readString(PAGE)).isEqualTo(expected);
    }

    @ParameterizedTest
    @EnumSource
    void sentencesHaveTheirFigures(RemarkCode code) {
        for (String text : List.of(code.cause(), code.consequence(), code.action())) {
            assertThat(text.replaceAll(FIGURE.pattern(), "")).doesNotContain("{", "}");
        }
    }

    @ParameterizedTest
    @EnumSource
    void saysWhatFollowsAndWhatToDoInSentences(RemarkCode code) {
        assertThat(code.cause()).doesNotEndWith(".");
        for (String text : List.of(code.consequence(), code.action())) {
            assertThat(text).doesNotContain("|").matches("|[A-Z].*\\.");
        }
        assertThat(code.action().isEmpty()).as("no action").isEqualTo(WITHOUT_ACTION.contains(code));
    }

    @Test
    void remarkIsMadeOfTheRowOfItsCode() {
        Remark remark = Remark.of(RemarkCode.SHORT_WINDOW, "1.0 s", "only", 1.3, "800.0 ms", "8 s");
        Remark withLink = Remark.of(RemarkCode.UNEVEN_CLIENTS, "", 1L, 9L, 5.0);

        assertThat(remark.sentences())
                .isEqualTo(
                        "The measurement of 1.0 s holds only 1.3 operations per client, which take 800.0 ms each."
                                + " The rate depends on when the measurement begins and ends. Use a --duration of at least 8 s.");
        assertThat(withLink.advice()).endsWith(" See fairness (docs/measurement.md).");
    }

    @Test
    void aSingleThingIsInTheSingular() {
        assertThat(Remark.of(RemarkCode.HUNG_CLIENTS, 1).text()).startsWith("1 client took");
        assertThat(Remark.of(RemarkCode.HUNG_CLIENTS, 21).text()).startsWith("21 clients took");
    }

    @Test
    void confusedFiguresAreFound() {
        assertThatThrownBy(() -> Remark.of(RemarkCode.CLIENT_COMPILER, 8.0, 0.17, ""))
                .isInstanceOf(AssertionError.class);
    }

    @Test
    void namesOfCodesAreStable() {
        assertThat(Arrays.stream(RemarkCode.values()).map(Enum::name))
                .allMatch(name -> name.matches("[A-Z][A-Z0-9_]*"));
    }
}
