package io.pgstress.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.pgstress.report.file.ReportWriter;
import io.pgstress.report.file.ResultFile;
import io.pgstress.report.format.Style;
import io.pgstress.report.text.ConsoleReport;
import io.pgstress.result.Result;
import io.pgstress.result.RunResult;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of every format, in two locales. Formats with golden files are compared with them. */
public final class ReportsTest {
    private static final Path GOLDEN = Path.of("src/test/resources/report");

    /**
     * Formats without golden files: the output of the JDK's zlib differs between releases, and the page is tested in a browser.
     */
    private static final Set<String> WITHOUT_GOLDEN_FILE = Set.of("json", "hdr-log", "html");

    @TempDir
    private Path directory;

    private final Locale before = Locale.getDefault();

    static Stream<ReportWriter> writers() {
        return Stream.concat(Stream.of(Reports.CONSOLE), Reports.FILES.stream());
    }

    private static List<Result> samples() {
        return List.of(
                Samples.closed(),
                Samples.open(),
                BulkSample.run(),
                HostsSample.threeHosts(),
                MoreSamples.comparison(),
                MoreSamples.scaling());
    }

    @AfterEach
    void localeAsBefore() {
        Locale.setDefault(before);
    }

    @ParameterizedTest
    @MethodSource("writers")
    void isTheSameInEveryLocale(ReportWriter writer) throws IOException {
        Locale.setDefault(Locale.ROOT);
        String root = text(writer, Samples.open());
        Locale.setDefault(Locale.GERMANY);
        String german = text(writer, Samples.open());
        Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
        String arabic = text(writer, Samples.open());

        assertThat(german).isEqualTo(root);
        assertThat(arabic).isEqualTo(root);
    }

    @ParameterizedTest
    @MethodSource("writers")
    void equalsItsGoldenFile(ReportWriter writer) throws IOException {
        if (WITHOUT_GOLDEN_FILE.contains(writer.name())) {
            return;
        }
        for (Result sample : samples()) {
            if (!writer.takes(sample)) {
                continue;
            }
            Path golden = GOLDEN.resolve(sample.run().id() + "." + writer.name() + ".txt");
            String text = text(writer, sample);
            if (Boolean.getBoolean("golden.write")) {
                Files.createDirectories(GOLDEN);
                Files.writeString(golden, text);
            }
            assertThat(text).isEqualTo(Files.readString(golden));
        }
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
    @MethodSource("writers")
    void acceptsARunWithoutOperations(ReportWriter writer) throws IOException {
        assertThat(text(writer, Samples.nothing())).isNotEmpty();
    }

    @ParameterizedTest
    @MethodSource("writers")
    void refusesUnsupportedResults(ReportWriter writer) {
        if (!writer.takes(MoreSamples.scaling())) {
            assertThatThrownBy(() -> text(writer, MoreSamples.scaling()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("is not a run");
        }
    }

    @ParameterizedTest
    @MethodSource("writers")
    void combinesSeveralResultsOrRefusesThem(ReportWriter writer) throws IOException {
        List<RunResult> two = List.of(Samples.closed(), Samples.open());
        StringBuilder out = new StringBuilder();
        if (writer.takesSeveral()) {
            writer.write(two, out);
            assertThat(out.toString().getBytes(StandardCharsets.UTF_8)).isNotEmpty();
        } else {
            assertThatThrownBy(() -> writer.write(two, out)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void namesAreUnique() {
        assertThat(Reports.FILES).extracting(ReportWriter::name).doesNotHaveDuplicates();
        assertThat(Reports.FILES).extracting(ReportWriter::description).allMatch(d -> d.endsWith("."));
    }

    @Test
    void everyReportIsRegistered() {
        Set<String> registered = writers().map(w -> w.getClass().getName()).collect(Collectors.toSet());
        List<String> withoutLine = new ClassFileImporter()
                .importPackages("io.pgstress.report").stream()
                        .filter(c -> c.isAssignableTo(ReportWriter.class)
                                && !c.getModifiers().contains(JavaModifier.ABSTRACT))
                        .map(JavaClass::getName)
                        .filter(name -> !registered.contains(name))
                        .toList();

        assertThat(withoutLine).as("classes without a line in Reports").isEmpty();
    }

    @Test
    void jsonIsReadBackUnchanged() throws IOException {
        for (Result sample : samples()) {
            Path file = Files.writeString(directory.resolve("r.json"), text(Reports.JSON, sample));
            assertThat(ResultFile.read(file)).isEqualTo(sample);
        }
    }

    public static String text(ReportWriter writer, Result result) throws IOException {
        StringBuilder out = new StringBuilder();
        writer.write(List.of(result), out);
        return out.toString();
    }
}
