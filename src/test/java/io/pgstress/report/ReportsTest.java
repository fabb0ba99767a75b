package io.pgstress.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.pgstress.report.file.ReportFormat;
import io.pgstress.report.file.ReportFormat.Content;
import io.pgstress.report.file.ReportWriter;
import io.pgstress.report.file.ResultFile;
import io.pgstress.report.format.Style;
import io.pgstress.report.page.HtmlReport;
import io.pgstress.report.text.ConsoleReport;
import io.pgstress.report.text.JunitReport;
import io.pgstress.report.text.MarkdownReport;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.Result;
import io.pgstress.result.RunResult;
import io.pgstress.testing.Implementations;
import io.pgstress.text.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of every format, in two locales. Formats with golden files are compared with them. */
public final class ReportsTest {
    /** The report on stdout, without and with details. */
    public static final ReportFormat CONSOLE =
            new ReportFormat("console", "Brief.", Content.RESULTS, new ConsoleReport(false));

    public static final ReportFormat VERBOSE =
            new ReportFormat("verbose", "Complete.", Content.RESULTS, new ConsoleReport(true));

    private static final Path GOLDEN = Path.of("src/test/resources/report");

    /**
     * Formats without golden files: the output of the JDK's zlib differs between releases, and the page is tested in a browser.
     */
    private static final Set<String> WITHOUT_GOLDEN_FILE = Set.of("json", "hdr-log", "html");

    @TempDir
    private Path directory;

    private final Locale before = Locale.getDefault();

    static Stream<ReportFormat> formats() {
        return Stream.of(List.of(CONSOLE), Reports.FILES, Reports.TABLES).flatMap(List::stream);
    }

    private static List<Result> samples() {
        return List.of(
                Samples.closed(),
                Samples.open(),
                BulkSample.run(),
                HostsSample.threeHosts(),
                MoreSamples.comparison(),
                MoreSamples.scaling(),
                MoreSamples.rateSearch(),
                MoreSamples.rehearsal());
    }

    @AfterEach
    void localeAsBefore() {
        Locale.setDefault(before);
    }

    @ParameterizedTest
    @MethodSource("formats")
    void isTheSameInEveryLocale(ReportFormat format) throws IOException {
        Locale.setDefault(Locale.ROOT);
        String root = text(format, Samples.open());
        Locale.setDefault(Locale.GERMANY);
        String german = text(format, Samples.open());
        Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
        String arabic = text(format, Samples.open());

        assertThat(german).isEqualTo(root);
        assertThat(arabic).isEqualTo(root);
    }

    @ParameterizedTest
    @MethodSource("formats")
    void equalsItsGoldenFile(ReportFormat format) throws IOException {
        if (WITHOUT_GOLDEN_FILE.contains(format.name())) {
            return;
        }
        for (Result sample : samples()) {
            if (!format.takes(sample)) {
                continue;
            }
            Path golden = GOLDEN.resolve(sample.run().id() + "." + format.name() + ".txt");
            String text = text(format, sample);
            if (Boolean.getBoolean("golden.write")) {
                Files.createDirectories(GOLDEN);
                Files.writeString(golden, text);
            }
            assertThat(text).isEqualTo(Files.readString(golden));
        }
    }

    /** The page has its data in elements of scripts. */
    @Test
    void namesDoNotEndTheDataOfThePage() throws IOException {
        ReportFormat page = Reports.FILES.stream()
                .filter(format -> format.name().equals("html"))
                .findFirst()
                .orElseThrow();
        String script = "<!--<script></script><script>alert(1)</script>"; // after the first two, no end ends them
        RunResult named = Json.read(Json.writeLine(Samples.closed()).replace("check_in", script), RunResult.class);

        assertThat(named.dataset().table()).isEqualTo(script);
        assertThat(text(page, named)).contains("alert(1)").doesNotContain("<script>alert(1)", "<!--<script");
    }

    @ParameterizedTest
    @ValueSource(ints = {80, 120})
    void fitsATerminal(int columns) throws IOException {
        ReportWriter console = new ConsoleReport(false, Style.COLORED, columns);
        for (Result sample : samples()) {
            String text = text(console, sample);
            Path golden = GOLDEN.resolve(sample.run().id() + "." + columns + "-columns.txt");
            if (Boolean.getBoolean("golden.write")) {
                Files.writeString(golden, text);
            }
            assertThat(text).isEqualTo(Files.readString(golden));
            List<String> lines = text.replaceAll("\u001b\\[\\d*m", "").lines().toList();
            assertThat(lines.subList(0, lines.size() - 1)).allMatch(line -> line.length() <= columns);
        }
    }

    @ParameterizedTest
    @MethodSource("formats")
    void acceptsARunWithoutOperations(ReportFormat format) throws IOException {
        assertThat(text(format, Samples.nothing())).isNotEmpty();
    }

    @ParameterizedTest
    @MethodSource("formats")
    void refusesUnsupportedResults(ReportFormat format) {
        if (!format.takes(MoreSamples.scaling())) {
            assertThatThrownBy(() -> text(format, MoreSamples.scaling()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("is not a run");
        }
    }

    @ParameterizedTest
    @MethodSource("formats")
    void combinesSeveralResultsOrRefusesThem(ReportFormat format) throws IOException {
        List<RunResult> two = List.of(Samples.closed(), Samples.open());
        StringBuilder out = new StringBuilder();
        if (format.takesSeveral()) {
            format.write(two, out);
            assertThat(out.toString().getBytes(StandardCharsets.UTF_8)).isNotEmpty();
        } else {
            assertThatThrownBy(() -> format.write(two, out)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void theMostHarmfulWarningsAreShownAndTheOthersForThoseWhoAsk() throws IOException {
        RunResult run = Samples.withFiveWarnings();
        assertThat(run.warnings())
                .extracting(Remark::code)
                .containsExactly(
                        RemarkCode.MISSES,
                        RemarkCode.CLIENT_CPU,
                        RemarkCode.FEW_INTERVALS,
                        RemarkCode.STALL,
                        RemarkCode.SHARED_HOST);
        List<String> texts = Remark.texts(run.warnings());

        assertThat(text(CONSOLE, run))
                .contains(texts.subList(0, 3))
                .contains("\nand 2 more warnings: --verbose\n")
                .doesNotContain(texts.subList(3, 5));
        assertThat(text(VERBOSE, run)).contains(texts).doesNotContain("more warnings");
        String markdown = text(new MarkdownReport(), run).replace("\\", "");
        assertThat(markdown).contains(texts);
        assertThat(markdown.indexOf("<summary>and 2 more warnings</summary>"))
                .isBetween(markdown.indexOf(texts.get(2)), markdown.indexOf(texts.get(3)));
        assertThat(text(new JunitReport(), run)).contains(texts);
        Path file = Files.writeString(directory.resolve("r.json"), text(Reports.JSON, run));
        assertThat(ResultFile.read(file).warnings()).isEqualTo(run.warnings());
    }

    /** The remark on a stall says what a closed loop hides. */
    @Test
    void closedLoopsHaveNoNoteWithoutAStall() throws IOException {
        assertThat(text(CONSOLE, Samples.closed())).doesNotContain("note: ", "closed loop, a stall");
        assertThat(text(CONSOLE, Samples.withFiveWarnings())).doesNotContain("note: ");
        assertThat(text(VERBOSE, Samples.withFiveWarnings())).contains("In a closed loop, a stall shows only once");
        assertThat(text(CONSOLE, Samples.open())).contains("\nnote: Response times");
    }

    @Test
    void namesAreUnique() {
        assertThat(formats()).extracting(ReportFormat::name).doesNotHaveDuplicates();
        assertThat(formats().skip(1)).extracting(ReportFormat::description).noneMatch(d -> d.endsWith("."));
    }

    @Test
    void everyReportIsRegistered() {
        List<ReportWriter> writers = formats().map(ReportFormat::writer).toList();
        for (Class<?> report : Implementations.of(ReportWriter.class)) {
            if (report != ReportFormat.class) {
                assertThat(writers)
                        .as("a report without its line in Reports")
                        .anyMatch(writer -> writer.getClass() == report);
            }
        }
    }

    /** A table of {@code CsvReport} without its line leaves its golden files behind. */
    @Test
    void everyGoldenFileBelongsToAFormat() throws IOException {
        try (Stream<Path> files = Files.list(GOLDEN)) {
            assertThat(files.map(file -> file.getFileName().toString())
                            .filter(name -> name.endsWith(".txt") && !name.matches(".*\\.\\d+-columns\\.txt"))
                            .map(name -> name.split("\\.", -1)[1])
                            .distinct())
                    .isSubsetOf(formats().map(ReportFormat::name).toList());
        }
    }

    @Test
    void jsonIsReadBackUnchanged() throws IOException {
        for (Result sample : samples()) {
            Path file = Files.writeString(directory.resolve("r.json"), text(Reports.JSON, sample));
            assertThat(ResultFile.read(file)).isEqualTo(sample);
        }
    }

    /** They are opened in a browser, which not every machine has. */
    @Test
    void recordedResultsCanBeReadAndShown() throws IOException {
        try (Stream<Path> files = Files.list(GOLDEN)) {
            for (Path file : files.filter(f -> f.toString().endsWith(".json")).toList()) {
                Result recorded = ResultFile.read(file);
                for (ReportWriter writer : List.of(VERBOSE, new HtmlReport())) {
                    assertThat(text(writer, recorded)).isNotEmpty();
                }
            }
        }
    }

    public static String text(ReportWriter writer, Result result) throws IOException {
        StringBuilder out = new StringBuilder();
        writer.write(List.of(result), out);
        return out.toString();
    }
}
