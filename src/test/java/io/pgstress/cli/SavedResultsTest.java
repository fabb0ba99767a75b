package io.pgstress.cli;

import static io.pgstress.cli.Ended.stress;
import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.report.MoreSamples;
import io.pgstress.report.Samples;
import io.pgstress.report.file.History;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.Result;
import io.pgstress.result.Validity;
import io.pgstress.text.Json;
import io.pgstress.text.Records;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands that read saved results tell which of them must not be used. */
final class SavedResultsTest {
    private static final Validity NOT_VALID = new Validity(false, List.of(RemarkCode.NO_SUCCESS.remark()), List.of());

    @TempDir
    private Path directory;

    @Test
    void listHasResultsWhoseFiguresContradictEachOther() throws IOException {
        History history = new History(directory);
        history.save(Samples.closed());
        Path edited = history.save(MoreSamples.comparison());
        Files.writeString(edited, Files.readString(edited).replaceFirst("\"ratio\" : 0\\.\\d+", "\"ratio\" : 1.5"));
        Files.writeString(directory.resolve("other.json"), "{}");

        Ended ended = stress("report --list --dir " + directory);

        assertThat(ended.code()).isEqualTo(ExitCode.DONE);
        assertThat(ended.out()).hasLineCount(3);
        assertThat(ended.out().lines().filter(line -> line.endsWith(" yes"))).hasSize(1);
        assertThat(ended.out().lines().filter(line -> line.endsWith(" contradictory")))
                .singleElement()
                .asString()
                .contains("comparison");
    }

    private Path notValid(String name, Result result) throws IOException {
        return Files.writeString(
                directory.resolve(name), Json.write(Records.with((Record) result, "validity", NOT_VALID)));
    }

    @Test
    void forecastFromAComparisonThatIsNotValidIsNotValid() throws IOException {
        String line = "compare --dry-run --url jdbc:postgresql://nowhere/x -t docs --vary statement=prepared,plain"
                + " --spread ";
        Path valid = Files.writeString(directory.resolve("valid.json"), Json.write(MoreSamples.comparison()));

        assertThat(stress(line + valid).code()).isEqualTo(ExitCode.DONE);

        Ended ended = stress(line + notValid("comparison.json", MoreSamples.comparison()));
        assertThat(ended.code()).isEqualTo(ExitCode.NOT_VALID);
        assertThat(ended.out()).contains("spread of a pair");
        assertThat(ended.out().lines().reduce((first, last) -> last).orElseThrow())
                .startsWith("not valid: ")
                .contains(RemarkCode.NO_SUCCESS.name());
    }

    @Test
    void worstOfSeveralResultsDecides() throws IOException {
        Path valid = Files.writeString(directory.resolve("valid.json"), Json.write(Samples.closed()));

        Ended ended = stress("report " + valid + " " + notValid("run.json", Samples.open()));

        assertThat(ended.code()).isEqualTo(ExitCode.NOT_VALID);
        assertThat(ended.out().lines().reduce((first, last) -> last).orElseThrow())
                .isEqualTo("2 results, 1 of them not valid: not valid");
    }
}
