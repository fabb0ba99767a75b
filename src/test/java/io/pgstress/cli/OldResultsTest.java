package io.pgstress.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.compare.EarlierResult;
import io.pgstress.report.Reports;
import io.pgstress.report.file.ReportWriter;
import io.pgstress.report.file.ResultFile;
import io.pgstress.result.Comparison;
import io.pgstress.result.OperationResult;
import io.pgstress.result.Result;
import io.pgstress.result.RunResult;
import io.pgstress.result.Scaling;
import io.pgstress.verdict.ResultMerge;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Results written by version 0.1.0 can still be read, reported, merged and compared. */
final class OldResultsTest {
    private static final Path OLD = Path.of("src/test/resources/report/old");

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"run", "run-on-another-host", "steps", "merged", "comparison", "scaling"})
    void isReportedInEveryFormat(String name) throws IOException {
        Result result = ResultFile.read(old(name));
        List<String> arguments = new ArrayList<>(List.of("report", old(name).toString()));
        List<Path> files = new ArrayList<>();
        for (ReportWriter writer : Reports.FILES) {
            if (writer.takes(result)) {
                Path file = directory.resolve(name + "." + writer.name());
                files.add(file);
                arguments.addAll(List.of("--" + writer.name(), file.toString()));
            }
        }

        assertThat(stress(arguments)).as(err.toString(StandardCharsets.UTF_8)).isEqualTo(ExitCode.DONE);

        assertThat(files)
                .hasSizeGreaterThan(2)
                .allSatisfy(file -> assertThat(file).isNotEmptyFile());
        assertThat(ResultFile.read(directory.resolve(name + ".json"))).isEqualTo(result);
        assertThat(stress(List.of("report", old(name).toString()))).isEqualTo(ExitCode.DONE);
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("check_in").contains("valid");
    }

    @Test
    void derivesWhatWasRun() throws IOException {
        assertThat(stress(List.of("report", old("run").toString()))).isEqualTo(ExitCode.DONE);
        assertThat(stress(List.of("report", old("steps").toString()))).isEqualTo(ExitCode.DONE);

        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("find_first:3,find_insert:1 on check_in, prepared statements, 2 clients, closed load")
                .contains(
                        "find_first on check_in, prepared statements, 2 clients, open load of 50, 100 ops/s (uniform)");
    }

    @Test
    void readsAKindOfServerThatIsNoLongerSupported() throws IOException {
        Path file = Files.writeString(
                directory.resolve("greenplum.json"),
                Files.readString(old("run"))
                        .replace("\"kind\" : \"postgres\"", "\"kind\" : \"greenplum\"")
                        .replace("\"target\" : \"auto\"", "\"target\" : \"greenplum\""));

        assertThat(stress(List.of("report", file.toString(), "--json", "-"))).isEqualTo(ExitCode.DONE);

        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("\"kind\" : \"greenplum\"", "\"target\" : \"greenplum\"");
    }

    @Test
    void mergesRunsOfSeveralHosts() throws IOException {
        List<Result> hosts = List.of(ResultFile.read(old("run")), ResultFile.read(old("run-on-another-host")));
        RunResult merged = ResultMerge.of(hosts);
        RunResult then = (RunResult) ResultFile.read(old("merged"));

        assertThat(merged.operations())
                .usingRecursiveComparison()
                .ignoringFieldsMatchingRegexes(".*latencyMicros.*\\.(stddev|min)") // of newer results
                .isEqualTo(then.operations());
        assertThat(merged.clients()).isEqualTo(4);
        assertThat(merged.total().ok())
                .isEqualTo(hosts.stream()
                        .mapToLong(h -> ((RunResult) h).total().ok())
                        .sum());
        assertThat(stress(List.of(
                        "report",
                        "--merge",
                        old("run").toString(),
                        old("run-on-another-host").toString())))
                .isEqualTo(ExitCode.DONE);
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("4 clients");
    }

    @Test
    void showsRunsSideBySide() {
        assertThat(stress(List.of("report", old("run").toString(), old("steps").toString(), "--markdown", "-")))
                .isEqualTo(ExitCode.DONE);

        assertThat(out.toString(StandardCharsets.UTF_8))
                .startsWith("## Side by side")
                .contains("| op | find\\_first:3,find\\_insert:1 | find\\_first |");
    }

    @Test
    void acceptsARunOrAComparisonAsBaseline() throws IOException {
        EarlierResult ofComparison = EarlierResult.of(ResultFile.read(old("comparison")), "then", 1);
        EarlierResult ofRun = EarlierResult.of(ResultFile.read(old("steps")), "then", 1);

        assertThat(ofComparison.figures().get("opsPerSecond")).hasSize(8);
        assertThat(ofComparison.threadKind()).isEqualTo("platform");
        assertThat(ofRun.figures().get("opsPerSecond")).hasSizeGreaterThan(5);
    }

    @Test
    void readsEveryKind() throws IOException {
        assertThat(ResultFile.read(old("comparison"))).isInstanceOf(Comparison.class);
        assertThat(ResultFile.read(old("scaling"))).isInstanceOf(Scaling.class);
        assertThat(((RunResult) ResultFile.read(old("run"))).operations().values())
                .allSatisfy(o ->
                        assertThat(OperationResult.class.cast(o).completed()).isPositive());
        try (var files = Files.list(OLD)) {
            assertThat(files).hasSize(6);
        }
    }

    private static Path old(String name) {
        return OLD.resolve(name + ".json");
    }

    private int stress(List<String> arguments) {
        return Main.run(
                new Streams(
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8)),
                arguments.toArray(new String[0]));
    }
}
