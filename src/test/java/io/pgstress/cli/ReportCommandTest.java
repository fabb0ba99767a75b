package io.pgstress.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.report.Samples;
import io.pgstress.report.file.History;
import io.pgstress.result.RunResult;
import io.pgstress.text.Json;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ReportCommandTest {
    private Ended ended = new Ended(0, "", "");

    @TempDir
    private Path directory;

    @Test
    void printsTheTableOfAnEarlierResult() throws IOException {
        assertThat(report(file(Samples.closed()))).isEqualTo(ExitCode.DONE);
        assertThat(ended.out())
                .startsWith("find_first on check_in")
                .endsWith("\n4,000 ops/s, p50 1.76 ms, p99 5.68 ms: valid\n");
        assertThat(ended.err()).isEmpty();
    }

    @Test
    void checksLimitsOfAnEarlierResultAndOfAMergedOne() throws IOException {
        assertThat(report(file(Samples.closed()) + " --fail-if p99>9ms")).isEqualTo(ExitCode.DONE);
        assertThat(report(file(Samples.closed()) + " --fail-if p99>0.1ms")).isEqualTo(ExitCode.LIMIT_BROKEN);
        assertThat(ended.out()).contains("limit exceeded: p99>0.1ms: p99 was 5.68 ms");
        assertThat(report(file(Samples.closed()) + " --fail-if p98>5ms")).isEqualTo(ExitCode.USAGE);
        assertThat(ended.err()).contains("unknown figure 'p98'");
    }

    @Test
    void resultThatIsNotValidHasACodeOfItsOwnWhateverItsLimits() throws IOException {
        assertThat(report(file(Samples.open()))).isEqualTo(ExitCode.NOT_VALID);
        assertThat(report(file(Samples.open()) + " --fail-if p99>0.1ms")).isEqualTo(ExitCode.NOT_VALID);
    }

    @Test
    void worstOfSeveralResultsDecidesAndTheLastLineSaysTheSame() throws IOException {
        String valid = file(Samples.closed());

        assertThat(report(valid + " " + valid)).isEqualTo(ExitCode.DONE);
        assertThat(ended.out()).endsWith("\n\n2 results: valid\n");
        assertThat(report(valid + " " + valid + " --fail-if p99>0.1ms")).isEqualTo(ExitCode.LIMIT_BROKEN);
        assertThat(ended.out()).endsWith("\n\n2 results, limits exceeded in 2 of them: valid\n");
        assertThat(report(file(Samples.open()) + " " + valid)).isEqualTo(ExitCode.NOT_VALID);
        assertThat(ended.out()).endsWith("\n\n2 results, 1 of them not valid: not valid\n");
        assertThat(report(file(Samples.open()) + " " + valid + " --markdown -")).isEqualTo(ExitCode.NOT_VALID);
        assertThat(ended.err()).endsWith("\n2 results, 1 of them not valid: not valid\n");
    }

    @Test
    void refusesAnEditedResultInOneLine() throws IOException {
        Path edited = Path.of(file(Samples.closed()));
        Files.writeString(
                edited, Files.readString(edited).replace("\"opsPerSecond\" : 4000.0", "\"opsPerSecond\" : 9000.0"));

        assertThat(report(edited.toString())).isEqualTo(ExitCode.DATA);
        assertThat(ended.out()).isEmpty();
        assertThat(ended.err())
                .startsWith("stress: " + edited + ": its figures contradict each other")
                .hasLineCount(1);
    }

    @Test
    void verboseShowsTheDetails() throws IOException {
        report(file(Samples.closed()) + " --verbose");
        assertThat(ended.out()).contains("  settings    ", "  network     ", "acquire");
    }

    @Test
    void writesEveryRequestedFormat() throws IOException {
        Path page = directory.resolve("r.html");
        Path tables = directory.resolve("made/tables");

        assertThat(report("%s --html %s --csv %s --markdown -".formatted(file(Samples.open()), page, tables)))
                .isEqualTo(ExitCode.NOT_VALID);

        assertThat(Files.readString(page)).startsWith("<!doctype html>");
        assertThat(tables.toFile().list())
                .containsExactlyInAnyOrder("intervals.csv", "operations.csv", "steps.csv", "hosts.csv", "machines.csv");
        assertThat(Files.readString(tables.resolve("intervals.csv"))).startsWith("run,at_seconds");
        assertThat(ended.out()).startsWith("## find\\_first");
        assertThat(ended.err())
                .startsWith("stress: wrote %s, %s%nstress: not valid: No operation succeeded in 20%% of the measurement"
                        .formatted(page, tables))
                .contains("\n4,000 ops/s, ", ": not valid, 1 reason");
    }

    @Test
    void saysThatAPageIsMadeFromAResult() throws IOException {
        Path page = directory.resolve("r.html");
        report(file(Samples.closed()) + " --html " + page);

        assertThat(report(page.toString())).isEqualTo(ExitCode.USAGE);
        assertThat(ended.err())
                .isEqualTo("stress: " + page
                        + ": is a page, which was made from a result's JSON file (--json); give that file\n");
    }

    @Test
    void junitAndMarkdownHaveTheLimitsThatAreGivenHere() throws IOException {
        Path junit = directory.resolve("junit.xml");

        assertThat(report(file(Samples.closed()) + " --fail-if p99>0.1ms --fail-if errors>1% --junit " + junit
                        + " --markdown -"))
                .isEqualTo(ExitCode.LIMIT_BROKEN);

        assertThat(Files.readString(junit))
                .contains("tests=\"3\" failures=\"1\" errors=\"0\"")
                .contains("message=\"p99 was 5.68 ms\"");
        assertThat(ended.out()).contains("**\n\n- **limit exceeded**: p99\\>0.1ms: p99 was 5.68 ms\n");
    }

    @Test
    void showsSeveralRunsSideBySideInMarkdown() throws IOException {
        assertThat(report("%s %s --markdown -".formatted(file(Samples.closed()), file(Samples.open()))))
                .isEqualTo(ExitCode.NOT_VALID);

        assertThat(ended.out()).startsWith("## Side by side\n\n| figure | ");
        assertThat(ended.out().lines().filter(line -> line.startsWith("| find\\_first, ops/s")))
                .hasSize(1)
                .allMatch(line -> line.matches("[^|]*(\\|[^|]+){3}\\|") && line.contains("%)"));
        assertThat(ended.out().lines().filter(line -> line.startsWith("## "))).hasSize(3);
    }

    @Test
    void formatOfASingleResultNeedsMergeForSeveral() throws IOException {
        assertThat(report("%s %s --json -".formatted(file(Samples.closed()), file(Samples.open()))))
                .isEqualTo(ExitCode.USAGE);
        assertThat(ended.err()).contains("merge several with --merge");
        assertThat(ended.out()).isEmpty();
    }

    @Test
    void mergeRefusesResultsOfDifferentRuns() throws IOException {
        assertThat(report("%s %s --merge".formatted(file(Samples.closed()), file(Samples.open()))))
                .isEqualTo(ExitCode.USAGE);
        assertThat(ended.err()).contains("differ in op");
    }

    @Test
    void listsSavedResultsAndFindsThemByName() throws IOException {
        String kept = directory.resolve("kept").toString();
        ResultOutput.history(Optional.of(Path.of(kept))).save(Samples.closed());
        ResultOutput.history(Optional.of(Path.of(kept))).save(Samples.open());
        Files.writeString(directory.resolve("kept/other.json"), "{}");

        assertThat(report("--list --dir " + kept)).isEqualTo(ExitCode.DONE);
        assertThat(ended.out().lines()).hasSize(3).anyMatch(l -> l.startsWith("open    2026-11-21T10:00:00Z"));
        Path tables = directory.resolve("tables");
        assertThat(report("clos --dir " + kept + " --csv " + tables)).isEqualTo(ExitCode.DONE);
        assertThat(Files.readString(tables.resolve("operations.csv")))
                .contains("\nclosed,2026-11-21T10:00:00Z,find_first");
    }

    @Test
    void listOfSavedResultsFitsATerminal() throws IOException {
        History history = ResultOutput.history(Optional.of(directory.resolve("kept")));
        history.save(Samples.closed());
        StringBuilder list = new StringBuilder();

        History.print(history.list(), list, 80);

        assertThat(list.toString().lines())
                .allMatch(line -> line.length() <= 80)
                .anyMatch(line -> line.contains("ops/s") && line.contains("p99 ms") && line.contains("valid"))
                .contains("not shown in 80 columns: pool, statement, table");
    }

    @Test
    void packedResultIsReadAsItIs() throws IOException {
        Path packed = directory.resolve("run.json.gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(packed))) {
            out.write(Json.write(Samples.closed()).getBytes(StandardCharsets.UTF_8));
        }

        assertThat(report(packed.toString())).as(ended.err()).isEqualTo(ExitCode.DONE);
        assertThat(ended.out()).endsWith("\n4,000 ops/s, p50 1.76 ms, p99 5.68 ms: valid\n");
        Path cut = Files.write(directory.resolve("cut.json.gz"), Arrays.copyOf(Files.readAllBytes(packed), 100));
        assertThat(report(cut.toString())).isEqualTo(ExitCode.USAGE);
        assertThat(ended.err()).contains("cut.json.gz: ");
    }

    @Test
    void lastIsTheLastSavedResult() throws IOException {
        String kept = directory.resolve("kept").toString();
        ResultOutput.history(Optional.of(Path.of(kept))).save(Samples.closed());
        Files.writeString(directory.resolve("kept/notes.json"), "{}");
        Files.createDirectory(directory.resolve("kept/sub.json"));

        assertThat(report("last --dir " + kept)).isEqualTo(ExitCode.DONE);
        assertThat(report("--list --dir " + kept)).isEqualTo(ExitCode.DONE);
    }

    @Test
    void refusesToOverwriteAnotherReportOrAnInput() throws IOException {
        String input = file(Samples.closed());
        String both = directory.resolve("both").toString();

        assertThat(report("%s --junit %s --markdown %s".formatted(input, both, both)))
                .isEqualTo(ExitCode.USAGE);
        assertThat(ended.err()).contains("is already used by --");
        assertThat(report("%s --html %s".formatted(input, input))).isEqualTo(ExitCode.USAGE);
        assertThat(ended.err()).contains("is the input of the report");
        assertThat(report(input)).isEqualTo(ExitCode.DONE);
    }

    @Test
    void refusesAPlaceThatIsNoDirectoryForTheTables() throws IOException {
        String input = file(Samples.closed());
        Path file = Files.createFile(directory.resolve("file"));

        assertThat(report("%s --csv -".formatted(input))).isEqualTo(ExitCode.USAGE);
        assertThat(ended.err()).contains("--csv: must be a directory, because each table is a file of its own");
        assertThat(report("%s --csv %s".formatted(input, file))).isEqualTo(ExitCode.USAGE);
        assertThat(ended.err()).contains("--csv: " + file + " is a file, and must be a directory");
        assertThat(report("%s --csv %s/tables".formatted(input, file))).isNotZero();
        assertThat(ended.err()).contains(file.resolve("tables") + ": cannot be created: ");
        assertThat(report("%s --csv %s --html %s/steps.csv".formatted(input, directory, directory)))
                .isEqualTo(ExitCode.USAGE);
        assertThat(ended.err()).contains("--csv: ", "steps.csv is already used by --html");
        assertThat(file).isEmptyFile();
    }

    @Test
    void failedReportLeavesNoFile() throws IOException {
        Path page = directory.resolve("left.html");

        assertThat(report("%s --html %s".formatted(directory.resolve("missing.json"), page)))
                .isEqualTo(ExitCode.USAGE);

        assertThat(page).doesNotExist();
    }

    @Test
    void reportsAnEmptyDirectory() {
        assertThat(report("--list --dir " + directory)).isEqualTo(ExitCode.DONE);
        assertThat(ended.err()).contains("no results are saved in").contains("--save");
    }

    @Test
    void reportsAFileThatIsNotAResultInOneLine() throws IOException {
        Path broken = Files.writeString(directory.resolve("broken.json"), "{\"schema\": 1,");
        Path other = Files.writeString(directory.resolve("other.json"), "{\"a\": 1}");
        Path newer = Files.writeString(directory.resolve("newer.json"), "{\"schema\": 99, \"operations\": {}}");

        assertRefused(
                broken.toString(), "broken.json: is damaged or not complete (line 1, column 14), or not a result");
        assertRefused(other.toString(), "other.json: is not a result of pgstress");
        assertRefused(newer.toString(), "newer.json: has schema 99");
        Path half = Files.writeString(directory.resolve("half.json"), "{\"schema\": 1, \"operations\": {}}");
        Path nothing = Files.writeString(directory.resolve("nothing.json"), "null");
        Path readme = Files.writeString(directory.resolve("README.md"), "# Read me");
        assertRefused(readme.toString(), "README.md: is not a result of pgstress; make one with --json FILE\n");
        Path picture = Files.write(directory.resolve("picture"), new byte[] {(byte) 0x89, 'P', 'N', 'G'});
        assertRefused(
                picture.toString(), "picture: is not a text file, nor a result of pgstress; make one with --json");
        assertRefused(half.toString(), "half.json: is not a complete result of pgstress");
        assertRefused(nothing.toString(), "nothing.json: ");
        assertRefused(Files.createDirectory(directory.resolve("d")).toString(), "d: Is a directory");
        assertRefused("nowhere", "nowhere: no such file, and no result of that name in");
    }

    private void assertRefused(String name, String message) {
        assertThat(report("%s --dir %s".formatted(name, directory))).isEqualTo(ExitCode.USAGE);
        assertThat(ended.err()).contains(message).hasLineCount(1);
    }

    private String file(RunResult result) throws IOException {
        return Files.writeString(directory.resolve(result.run().id() + ".json"), Json.write(result))
                .toString();
    }

    private int report(String line) {
        ended = Ended.stress("report", line);
        return ended.code();
    }
}
