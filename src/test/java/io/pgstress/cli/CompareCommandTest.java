package io.pgstress.cli;

import static io.pgstress.cli.Ended.stress;
import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.report.file.ResultFile;
import io.pgstress.result.Comparison;
import io.pgstress.result.Comparison.Effect;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.Result;
import io.pgstress.result.ServerInfo;
import io.pgstress.testing.Slow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code stress compare} finds, resumes and reports. */
@Slow
final class CompareCommandTest extends ShortComparisons {
    @TempDir
    private static Path results;

    /** A comparison in which the second variant is much slower. */
    private static Ended slower;

    private static Path json;
    private static int blockMillis;

    /** With blocks that are long enough, on this machine, for operations to end in each. */
    @BeforeAll
    static void compareALargeDifference() throws IOException {
        json = results.resolve("slower.json");
        boolean isIdle;
        do {
            blockMillis = blockMillis == 0 ? 80 : 4 * blockMillis;
            slower = compareFor(
                    blockMillis,
                    "--op find_in --vary batch=1,200 --rounds 8 --fail-if ops<-3% --fail-if mean>+5% --json " + json);
            assertThat(json).as(slower.err()).exists();
            isIdle =
                    ((Comparison) ResultFile.read(json)).blocks().stream().anyMatch(block -> block.opsPerSecond() == 0);
        } while (isIdle && blockMillis < 5_000);
    }

    private static Effect primary(Comparison comparison) {
        return comparison.effects().stream()
                .filter(e -> e.metric().equals("opsPerSecond"))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void findsALargeDifferenceWithItsCauseAndBreaksLimits() throws IOException {
        assertThat(slower.code()).as(slower.err()).isEqualTo(ExitCode.LIMIT_BROKEN);
        assertThat(slower.err()).contains("settling: 1", "round 8:");
        assertThat(slower.out()).contains("200 is slower than 1").contains("per operation");
        Comparison found = (Comparison) ResultFile.read(json);
        assertThat(primary(found).verdict()).isEqualTo("slower");
        assertThat(primary(found).high()).isLessThan(0.8);
        assertThat(primary(found).causes()).isNotEmpty();
        assertThat(found.limits()).hasSize(2).allMatch(Comparison.LimitCheck::broken);
        assertThat(found.blocks()).hasSize(16);
        assertThat(found.variants()).extracting(v -> v.options().get("batch")).containsExactly("1", "200");
        assertThat(found.run().partial()).isFalse();
    }

    @Test
    void resumesAComparison() throws IOException {
        Path resumed = directory.resolve("r.json");
        compare("--vary statement=plain,plain --rounds 1 -q --json " + resumed);
        assertThat(((Comparison) ResultFile.read(resumed)).blocks()).hasSize(2);

        Ended ended = compare("--vary statement=plain,plain --rounds 3 --resume --json " + resumed);

        assertThat(ended.err())
                .containsSubsequence("taken over: 1 round\n", "round 2:", "stress: wrote " + resumed + "\n")
                .doesNotContain("round 1:");
        assertCompared(ended);
        Comparison found = (Comparison) ResultFile.read(resumed);
        assertThat(found.blocks())
                .hasSize(6)
                .extracting(Comparison.Block::round)
                .contains(1, 3);
        assertThat(found.variants()).allMatch(v -> v.blocks() == 3);
        assertThat(compare("--vary statement=plain,plain --rounds 3 -q --resume --json " + resumed)
                        .err())
                .isEmpty();
        Ended other = compare("--vary statement=plain,extended --resume -q");
        assertThat(other.code()).isEqualTo(ExitCode.USAGE);
        assertThat(other.err()).contains("this comparison has not been started");
    }

    @Test
    void comparesWithAnEarlierResultAndWarnsAboutIt() throws IOException {
        Path later = directory.resolve("later.json");

        Ended ended = compareFor(
                blockMillis,
                "--op find_in --batch 500 --rounds 8 -q --fail-if ops<-3%% --baseline %s --json %s"
                        .formatted(json, later));

        Result found = ResultFile.read(later);
        assertThat(primary((Comparison) found).verdict()).isEqualTo("slower");
        assertThat(found.warnings()).extracting(Remark::code).contains(RemarkCode.EARLIER_RESULT);
        assertThat(ended.code()).isEqualTo(found.valid() ? ExitCode.LIMIT_BROKEN : ExitCode.NOT_VALID);
        assertThat(compare("--dry-run --vary statement=prepared,plain --spread " + json)
                        .code())
                .isEqualTo(ResultFile.read(json).valid() ? ExitCode.DONE : ExitCode.NOT_VALID);
        assertThat(compare("--baseline " + directory.resolve("none.json")).code())
                .isEqualTo(ExitCode.USAGE);
    }

    @Test
    void anotherLoadOfAnEarlierResultCanBeAccepted() throws IOException {
        Path other = directory.resolve("other.json");

        compare("--op find_first --rounds 2 -q --accept earlier_other_load --baseline %s --json %s"
                .formatted(json, other));

        assertThat(ResultFile.read(other).reasons())
                .extracting(Remark::code)
                .doesNotContain(RemarkCode.EARLIER_OTHER_LOAD);
        assertThat(ResultFile.read(other).warnings()).extracting(Remark::code).contains(RemarkCode.EARLIER_OTHER_LOAD);
    }

    @Test
    void aBaselineThatIsAFileButNoResultIsSaidToBeOne() throws IOException {
        Path notes = Files.writeString(directory.resolve("README.md"), "# Notes");

        Ended ended = compare("--baseline " + notes);

        assertThat(ended.code()).isEqualTo(ExitCode.USAGE);
        assertThat(ended.err())
                .isEqualTo("stress: " + notes + ": is not a result of pgstress; make one with --json FILE\n");
        assertThat(compare(notes + " " + json).err()).contains("takes one scenario, and not also " + json);
        assertThat(compare(json + " " + json).err()).endsWith(" type: stress report %s %s%n".formatted(json, json));
    }

    @Test
    void aSavedResultIsNoScenario() {
        Ended ended = stress("compare %s --op find_in -q".formatted(json));

        assertThat(ended.code()).isEqualTo(ExitCode.USAGE);
        assertThat(ended.err())
                .hasLineCount(1)
                .contains(
                        "is a saved result and no scenario",
                        "stress compare --op find_in -q --baseline " + json,
                        "stress report " + json);
    }

    @Test
    void reportsTheServersOfAllVariants() throws IOException {
        Path all = directory.resolve("servers.json");
        Path file = directory.resolve("servers.yaml");
        Files.writeString(file, "variants: {a: {servers: 1}, b: {servers: 2}, both: {servers: all}}\nrounds: 1\n");

        Ended ended = compare("%s --url %s&ApplicationName=other -q --json %s".formatted(file, url, all));

        assertCompared(ended);
        assertThat(((Comparison) ResultFile.read(all)).servers())
                .extracting(ServerInfo::url)
                .containsExactly(url, url + "&ApplicationName=other");
        assertThat(ended.out().lines().filter(l -> l.startsWith("  server"))).hasSize(2);
    }

    @Test
    void dryRunReportsTheDetectableDifference() {
        Ended ended = compare("--dry-run --vary statement=prepared,plain --rounds 20 --spread 5%");

        assertThat(ended.code()).isZero();
        assertThat(ended.out())
                .contains("2 variants", "prepared (baseline)", "20 rounds: about")
                .contains("spread of a pair 5.0% (given): 20 rounds detect a difference of 3.4% in 80% of comparisons")
                .contains("3% needs 25 rounds");
    }

    @Test
    void refusesASingleVariantEvenInADryRun() {
        for (Ended ended : List.of(compare("--dry-run"), compare())) {
            assertThat(ended.code()).isEqualTo(ExitCode.USAGE);
            assertThat(ended.err())
                    .startsWith("stress: compare: there is only one variant")
                    .hasLineCount(1);
        }
    }

    @Test
    void helpListsOnlySupportedReports() {
        assertThat(stress("compare --help-all").out())
                .contains("--markdown", "--json")
                .doesNotContain("--csv=", "--hdr-log");
        assertThat(stress("--help-all").out()).contains("--csv=", "--hdr-log");
    }
}
