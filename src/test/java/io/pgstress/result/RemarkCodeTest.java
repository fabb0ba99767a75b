package io.pgstress.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgstress.text.Rounded;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The list of all remarks, and the table of them in {@code docs/remarks.md}, which {@code -Dgolden.write=true} writes. */
final class RemarkCodeTest {
    private static final Path PAGE = Path.of("docs/remarks.md");
    private static final Pattern FIGURE = Pattern.compile("\\{(\\w+)(:[,0-9.]*[df](?:%%| s)?)?}");
    private static final Pattern OPTIONAL = Pattern.compile("\\[(\\[[^]]*])]");

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
                .map(code -> Stream.of(
                                "`" + code + "`",
                                code.severity().name().toLowerCase(Locale.ROOT).replace('_', ' '),
                                withNames(code.cause()),
                                withNames(code.consequence()),
                                withNames(code.action()))
                        .collect(Collectors.joining(" | ", "| ", " |\n")))
                .collect(Collectors.joining());
    }

    /** The sentence with the names of its figures, and with brackets around what may be left out. */
    private static String withNames(RemarkText text) {
        return FIGURE.matcher(OPTIONAL.matcher(text.template()).replaceAll("$1"))
                .replaceAll("*$1*");
    }

    private static List<RemarkText> texts(RemarkCode code) {
        return List.of(code.cause(), code.consequence(), code.action());
    }

    @Test
    void pageHasTheTableOfAllCodes() throws IOException {
        String page = Files.readString(PAGE);
        assertThat(page).containsPattern(ROWS);
        String expected = ROWS.matcher(page).replaceFirst(Matcher.quoteReplacement(rows()));
        if (Boolean.getBoolean("golden.write")) {
            Files.writeString(PAGE, expected);
        }
        assertThat(Files.readString(PAGE)).isEqualTo(expected);
    }

    @ParameterizedTest
    @EnumSource
    void warningSaysWhatItPutsInDoubt(RemarkCode code) {
        assertThat(code.severity() == RemarkCode.Severity.WARNING).isEqualTo(code.harm() != RemarkCode.Harm.VALIDITY);
    }

    @ParameterizedTest
    @EnumSource
    void sentencesHaveTheirFigures(RemarkCode code) {
        for (RemarkText text : texts(code)) {
            assertThat(text.template().replaceAll(FIGURE.pattern(), "")).doesNotContain("{", "}");
        }
    }

    @ParameterizedTest
    @EnumSource
    void saysWhatFollowsAndWhatToDoInSentences(RemarkCode code) {
        assertThat(code.cause().template()).doesNotEndWith(".");
        for (RemarkText text : List.of(code.consequence(), code.action())) {
            assertThat(text.template()).doesNotContain("|").matches("|[A-Z].*\\.");
        }
        assertThat(code.action().template().isEmpty()).as("no action").isEqualTo(WITHOUT_ACTION.contains(code));
    }

    @ParameterizedTest
    @EnumSource
    void remarkShowsEachOfItsFigures(RemarkCode code) {
        Remark.Builder builder = new Remark.Builder(code);
        List<String> shown = new ArrayList<>();
        for (RemarkText.Figure figure : code.figures().values()) {
            Object value = value(figure, 11 + shown.size());
            builder.with(figure.name(), value);
            shown.add(Rounded.format("%" + (figure.conversion().isEmpty() ? "s" : figure.conversion()), value));
        }
        String sentences = builder.remark().sentences();

        assertThat(shown).allMatch(sentences::contains);
        assertThat(sentences).doesNotContain("{", "}", "[[", "]]", "](");
    }

    @ParameterizedTest
    @EnumSource
    void remarkCanDoWithoutItsOptionalFiguresOnly(RemarkCode code) {
        Remark.Builder builder = new Remark.Builder(code);
        code.figures().values().stream()
                .filter(figure -> !figure.isOptional())
                .forEach(figure -> builder.with(figure.name(), value(figure, 7)));

        assertThat(builder.remark().sentences()).doesNotContain("{", "}", "[[", "]]", "  ");
        if (code.figures().values().stream().anyMatch(figure -> !figure.isOptional())) {
            assertThatThrownBy(code::remark).isInstanceOf(IllegalStateException.class);
        }
        assertThatThrownBy(() -> code.with("figure of no code", 1)).isInstanceOf(IllegalArgumentException.class);
    }

    private static Object value(RemarkText.Figure figure, int number) {
        if (figure.conversion().isEmpty()) {
            return "text " + number;
        }
        return figure.isWhole() ? (Object) number : (Object) (double) number;
    }

    @Test
    void remarkIsMadeOfTheRowOfItsCode() {
        Remark remark = RemarkCode.SHORT_WINDOW
                .with("measured", "1.0 s")
                .with("only", "only")
                .with("operationsPerClient", 1.3)
                .with("mean", "800.0 ms")
                .with("enough", "8 s")
                .remark();
        Remark withLink = RemarkCode.UNEVEN_CLIENTS
                .with("least", 1L)
                .with("most", 9L)
                .with("mean", 5.0)
                .remark();

        assertThat(remark.sentences())
                .isEqualTo(
                        "The measurement of 1.0 s holds only 1.3 operations per client, which take 800.0 ms each."
                                + " The rate depends on when the measurement begins and ends. Use a --duration of at least 8 s.");
        assertThat(withLink.advice()).endsWith(" See waiting in the client (docs/measurement.md).");
    }

    @Test
    void aSingleThingIsInTheSingular() {
        assertThat(hung(1).text()).startsWith("1 client took");
        assertThat(hung(21).text()).startsWith("21 clients took");
    }

    private static Remark hung(int clients) {
        return RemarkCode.HUNG_CLIENTS
                .with("clients", clients)
                .with("waiting", Map.of("an answer of the server", clients))
                .remark();
    }

    @Test
    void figureIsOfTheKindThatTheTextNeeds() {
        assertThatThrownBy(() -> RemarkCode.HUNG_CLIENTS.with("clients", "many"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("clients");
        assertThatThrownBy(() -> RemarkCode.HUNG_CLIENTS.with("clients", 1.5))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> RemarkCode.HUNG_CLIENTS.with("clients", null))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void figureIsGivenOnce() {
        assertThatThrownBy(() -> RemarkCode.HUNG_CLIENTS.with("clients", 1).with("clients", 2))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void partWithoutItsFigureIsLeftOut() {
        Remark.Builder outage = RemarkCode.OUTAGE
                .with("fromSeconds", 1.0)
                .with("toSeconds", 3.0)
                .with("seconds", 2.0);

        assertThat(outage.remark().text()).isEqualTo("No operation succeeded from 1.000 s to 3.000 s (2.000 s)");
        assertThat(outage.with("node", "w1").remark().text())
                .isEqualTo("No operation succeeded on w1 from 1.000 s to 3.000 s (2.000 s)");
    }

    @Test
    void namesOfCodesAreStable() {
        assertThat(Arrays.stream(RemarkCode.values()).map(Enum::name))
                .allMatch(name -> name.matches("[A-Z][A-Z0-9_]*"));
    }
}
