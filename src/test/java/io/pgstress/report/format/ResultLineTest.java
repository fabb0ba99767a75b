package io.pgstress.report.format;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.plan.FigureLimit;
import io.pgstress.report.MoreSamples;
import io.pgstress.report.ReportsTest;
import io.pgstress.report.Samples;
import io.pgstress.report.file.ReportWriter;
import io.pgstress.report.page.HtmlReport;
import io.pgstress.result.ClientInfo;
import io.pgstress.result.Comparison;
import io.pgstress.result.OperationResult;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.Result;
import io.pgstress.result.RunInfo;
import io.pgstress.result.RunResult;
import io.pgstress.result.Scaling;
import io.pgstress.text.Json;
import io.pgstress.text.Records;
import io.pgstress.verdict.FigureLimits;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The result in one line. */
final class ResultLineTest {
    private static final String FIGURES = "4,000 ops/s, p50 1.76 ms, p99 5.68 ms";

    @Test
    void runHasFiguresAndOneOfThreeStatesOfValidity() {
        RunResult run = Samples.closed();
        assertThat(ResultLine.of(run)).isEqualTo(FIGURES + ": valid");
        assertThat(ResultLine.of(run.withRemarks(List.of(), Samples.warnings("a"))))
                .isEqualTo(FIGURES + ": valid, 1 warning");
        assertThat(ResultLine.of(run.withRemarks(List.of(), Samples.warnings("a", "b"))))
                .isEqualTo(FIGURES + ": valid, 2 warnings");
        assertThat(ResultLine.of(run.withRemarks(Samples.reasons("the ids were used up"), Samples.warnings("a"))))
                .isEqualTo(FIGURES + ": not valid, 1 reason");
        assertThat(ResultLine.of(run.withRemarks(Samples.reasons("x", "y", "z"), List.of())))
                .isEqualTo(FIGURES + ": not valid, 3 reasons");
    }

    /** The p99 of 9 operations would be the slowest of them. */
    @Test
    void percentilesThatFewOperationsCannotGiveAreNotShown() throws IOException {
        RunResult few = Samples.of(
                "closed",
                Samples.scenario("find_first", ""),
                Map.of("find_first", Samples.operation(1, 9, "total", Map.of())),
                List.of(),
                List.of(),
                Samples.closed().serverProfile());

        assertThat(ResultLine.of(few)).matches("\\S+ ops/s, p50 \\S+ ms, max \\S+ ms: valid");
        assertThat(ReportsTest.text(ReportsTest.VERBOSE, few)).containsPattern("p95 \\S+  max ");
    }

    @Test
    void mixHasOverallFiguresAndOpenLoadHasResponseTimesAndErrors() {
        assertThat(ResultLine.of(Samples.open()))
                .isEqualTo("4,000 ops/s, response time p50 0.40 ms, p99 1.27 ms, 15 errors:" + " not valid, 1 reason");
    }

    @Test
    void showsAMissedTargetBesideTheRate() {
        RunResult open = Samples.of(
                "open",
                Samples.scenario("find_first", "60000"),
                Samples.open().operations(),
                List.of(),
                List.of(),
                Samples.open().serverProfile());
        assertThat(ResultLine.of(open)).startsWith("4,000 of the target 60,000 ops/s, response time p50 ");
    }

    /** The mean of several rates is the rate of none. */
    @Test
    void severalRatesHaveTheHighestOneThatWasKept() {
        RunResult open = Samples.open();
        RunInfo stepped = Records.with(
                open.run(), "workload", Records.with(open.run().workload(), "rates", List.of(2_000.0, 6_000.0)));
        RunResult steps = Records.with(open, "header", open.header().with(stepped));

        assertThat(ResultLine.of(steps)).startsWith("kept up with 2,000 ops/s, not with 6,000, 15 errors: ");
    }

    @Test
    void missesStandBesideTheRateThatTheyMakeNotValid() {
        RunResult closed = Samples.closed();
        OperationResult some = closed.operations().values().iterator().next();
        Remark misses = RemarkCode.TOO_MANY_MISSES
                .with("percent", 2.0)
                .with("operation", "find_first")
                .with("limit", "1%")
                .with("misses", 44L)
                .with("duplicates", 0L)
                .with("table", null)
                .remark();
        RunResult missing = closed.with(Records.with(
                        closed.load(), "operations", Map.of("find_first", Records.with(some, "misses", 44L))))
                .withRemarks(List.of(misses), List.of());

        assertThat(ResultLine.of(missing)).endsWith(", 44 misses: not valid, 1 reason");
    }

    /** The operation may expect them. */
    @Test
    void manyMissesStandBesideTheRateThatExcludesThem() {
        RunResult closed = Samples.closed();
        OperationResult some = closed.operations().values().iterator().next();
        RunResult missing = closed.with(Records.with(
                        closed.load(), "operations", Map.of("find_first", Records.with(some, "misses", 44L))))
                .withRemarks(
                        List.of(),
                        List.of(RemarkCode.MISSES
                                .with("percent", 2.0)
                                .with("operation", "find_first")
                                .remark()));

        assertThat(ResultLine.of(missing)).endsWith(", 44 misses: valid, 1 warning");
    }

    @Test
    void duplicatesAreNotCalledMisses() {
        RunResult closed = Samples.closed();
        OperationResult some = closed.operations().values().iterator().next();
        OperationResult repeating = Records.with(Records.with(some, "duplicates", 500L), "misses", 0L);
        List<Remark> remarks = List.of(RemarkCode.DUPLICATES
                .with("percent", 5.0)
                .with("operation", "find_first")
                .remark());

        assertThat(ResultLine.of(closed.with(Records.with(closed.load(), "operations", Map.of("find_first", repeating)))
                        .withRemarks(List.of(), remarks)))
                .endsWith(", 500 duplicates: valid, 1 warning");
        assertThat(ResultLine.of(closed.with(Records.with(
                                closed.load(),
                                "operations",
                                Map.of("find_first", Records.with(repeating, "misses", 2L))))
                        .withRemarks(List.of(), remarks)))
                .endsWith(", 2 misses, 500 duplicates: valid, 1 warning");
    }

    @Test
    void percentilesBelowTheShareOfUnfinishedOperationsAreLowerBounds() {
        RunResult closed = Samples.closed();
        OperationResult some = closed.operations().values().iterator().next();
        long count = some.times().count();

        assertThat(ResultLine.of(withUnfinished(count / 50))).contains(", p50 1.76 ms, p99 at least 5.68 ms: ");
        assertThat(ResultLine.of(withUnfinished(count))).contains(", p50 at least 1.76 ms, p99 at least 5.68 ms: ");
        assertThat(ResultLine.of(withUnfinished(count / 200))).startsWith(FIGURES);
    }

    private static RunResult withUnfinished(long unfinished) {
        RunResult closed = Samples.closed();
        OperationResult some = closed.operations().values().iterator().next();
        return closed.with(Records.with(
                closed.load(), "operations", Map.of("find_first", Records.with(some, "unfinished", unfinished))));
    }

    @Test
    void interruptedRunSaysSoFirst() {
        RunResult closed = Samples.closed();
        RunResult interrupted = Records.with(
                        closed, "header", closed.header().with(Records.with(closed.run(), "partial", true)))
                .withRemarks(
                        List.of(),
                        List.of(RemarkCode.STOPPED_EARLY
                                .with("why", "interrupted")
                                .remark()));
        assertThat(ResultLine.of(interrupted)).isEqualTo("interrupted after 10.0 s, " + FIGURES + ": valid, 1 warning");
    }

    @Test
    void namesABrokenLimit() throws IOException {
        RunResult run = FigureLimits.checked(
                Samples.closed(), List.of(FigureLimit.parse("p99>0.1ms"), FigureLimit.parse("p99>9ms")));
        assertThat(ResultLine.of(run)).isEqualTo(FIGURES + ", limit p99>0.1ms exceeded: valid");
        assertThat(ReportsTest.text(ReportsTest.CONSOLE, run))
                .contains("limit exceeded: p99>0.1ms: p99 was 5.68 ms")
                .doesNotContain("p99>9ms");
        assertThat(ReportsTest.text(ReportsTest.VERBOSE, run)).contains("--fail-if   p99>9ms: p99 was 5.68 ms\n");
    }

    @Test
    void comparisonHasItsVerdictWithRatioAndInterval() throws IOException {
        Comparison comparison = MoreSamples.comparison();
        assertThat(ResultLine.of(comparison))
                .isEqualTo("extended is slower than prepared, ratio 0.910 (0.885 to 0.940);"
                        + " plain is the same as prepared within 2%, ratio 0.995 (0.985 to 1.005);"
                        + " limit ops<-3% exceeded by extended: valid, 1 warning");
        assertThat(ReportsTest.text(new HtmlReport(), comparison)).contains("\"text\":\"⚠ Valid, 1 warning\"");
    }

    /** As its table says, whether too few rounds were measured or the interval has no difference. */
    @Test
    void undecidedComparisonIsUndecidedInItsLastLine() {
        String undecided = Json.writeLine(MoreSamples.comparison()).replace("\"slower\"", "\"undecided\"");
        for (String high : List.of("0.94", "1.04")) {
            assertThat(ResultLine.of(Json.read(undecided.replace("0.94,", high + ","), Comparison.class)))
                    .startsWith("extended compared with prepared is undecided after 12 rounds, ratio 0.910 (0.885 to "
                            + high + "0)");
        }
    }

    /** Without a margin, a difference is looked for down to 2%. */
    @Test
    void undecidedVerdictSaysWhatMoreTimeFinds() throws IOException {
        assertThat(ReportsTest.text(ReportsTest.CONSOLE, MoreSamples.comparison()))
                .contains("undecided (95 s more to decide)", "undecided (40 s more to decide)");
        String without = Json.writeLine(MoreSamples.onOwnTables());
        assertThat(ReportsTest.text(ReportsTest.CONSOLE, Json.read(without, Comparison.class)))
                .contains("undecided (95 s more to decide)", "undecided (40 s more to find 2%)");
        String equal = without.replace("\"low\":0.97,\"high\":1.05", "\"low\":0.993,\"high\":1.012")
                .replace("\"secondsToDecide\":40.0", "\"secondsToDecide\":null");
        assertThat(ReportsTest.text(ReportsTest.CONSOLE, Json.read(equal, Comparison.class)))
                .contains("undecided (less than 2% apart)");
    }

    @Test
    void scalingHasItsKnee() {
        Scaling scaling = MoreSamples.scaling();
        assertThat(ResultLine.of(scaling)).isEqualTo("knee at 16 clients, 8,681 ops/s, p99 5.10 ms: valid");
    }

    @Test
    void lastLineOfTheConsoleIsTheResult() throws IOException {
        for (Result finding : List.of(
                Samples.closed(), Samples.open(), Samples.nothing(), MoreSamples.comparison(), MoreSamples.scaling())) {
            for (ReportWriter console : List.of(ReportsTest.CONSOLE, ReportsTest.VERBOSE)) {
                assertThat(ReportsTest.text(console, finding)).endsWith("\n" + ResultLine.of(finding) + "\n");
            }
        }
    }

    @Test
    void consoleIsShortAndVerboseIsComplete() throws IOException {
        String brief = ReportsTest.text(ReportsTest.CONSOLE, Samples.open());
        String verbose = ReportsTest.text(ReportsTest.VERBOSE, Samples.open());
        assertThat(brief).doesNotContain("settings ", "waits ", "statements  ", "WAL ", "machine ", "plan ", "acquire");
        assertThat(verbose).contains("settings ", "waits ", "statements  ", "WAL ", "machine ", "plan ", "acquire");
        assertThat(brief).contains("failures    15 errors, 2 misses");
        assertThat(ReportsTest.text(ReportsTest.CONSOLE, Samples.closed())).contains("failures    none");
    }

    @Test
    void consoleNamesTheJdkThatWouldUseEventLoops() throws IOException {
        String hint = "JDK 25 runs this many clients on event loops";
        assertThat(onJdk("17.0.15+6-Debian-1", 2)).contains(hint);
        assertThat(onJdk("17.0.15+6-Debian-1", 64)).doesNotContain(hint);
        assertThat(onJdk("25.0.1+8", 2)).doesNotContain(hint);
        assertThat(onJdk("of two hosts", 2)).doesNotContain(hint);
    }

    private static String onJdk(String version, int cores) throws IOException {
        ClientInfo client = Samples.closed().client();
        return console(Records.with(Records.with(client, "jvm", "OpenJDK 64-Bit Server VM " + version), "cpus", cores));
    }

    /** No host reported its result. */
    @Test
    void consoleNamesOnlyKnownThreads() throws IOException {
        ClientInfo client = Samples.closed().client();
        assertThat(console(Records.with(client, "threadKind", "virtual"))).contains(" on virtual threads, ");
        assertThat(console(Records.with(client, "threadKind", ClientInfo.UNKNOWN)))
                .doesNotContain("threads", "unknown");
    }

    private static String console(ClientInfo client) throws IOException {
        RunResult result = Samples.closed();
        return ReportsTest.text(
                ReportsTest.CONSOLE, Records.with(result, "header", Records.with(result.header(), "client", client)));
    }
}
