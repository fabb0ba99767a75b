package io.pgstress.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.report.file.ResultFile;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.RunResult;
import io.pgstress.testing.Child;
import io.pgstress.testing.EveryJdk;
import io.pgstress.testing.Slow;
import io.pgstress.testing.TestServer;
import io.pgstress.text.Json;
import io.pgstress.verdict.LongTimes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands in their own JVM that receive Ctrl-C: what they print, how they end, and what remains. */
@EveryJdk
@Slow
final class SignalTest {
    private static final int INTERRUPTED = 130;
    private static String url;

    @TempDir
    private Path directory;

    @BeforeAll
    static void table() {
        url = TestServer.freshDatabase("signals");
        TestServer.table(url, "docs", 200);
    }

    private Path operations(double seconds) throws IOException {
        return Files.writeString(
                directory.resolve("own.yaml"), "nap: {steps: [{sql: select pg_sleep(" + seconds + ")}]}\n");
    }

    private Child run(double napSeconds, String options) throws IOException {
        String nap = "--op nap --operations %s --drain 60s --url %s".formatted(operations(napSeconds), url);
        return new Child(directory, nap, options);
    }

    private static long sleeping() {
        return TestServer.number(
                url, "select count(*) from pg_stat_activity where state = 'active' and wait_event = 'PgSleep'");
    }

    /**
     * The last line of an interrupted command. Apart from the answer to the first signal, no other line mentions the interrupt.
     */
    private static void assertLastLine(Child child, String... parts) {
        List<String> lines = child.err().lines().toList();
        assertThat(lines.get(lines.size() - 1))
                .startsWith("stress: ") // an import names the table that it was loading first
                .contains("interrupted")
                .endsWith("(exit code 130)")
                .contains(parts);
        assertThat(lines)
                .filteredOn(line -> line.startsWith("stress: ") && line.contains("interrupted"))
                .hasSize(1);
    }

    /** An operation that was due while the client did not run looks slow, but neither the server nor the collector is to blame. */
    @Test
    void stoppedClientSaysThatItStoodStill() throws Exception {
        Path json = directory.resolve("stopped.json");
        String load = "-t docs -c 4 --op find_first -R 200 --warmup 0 -T 3s --progress-format plain --json %s --url %s";
        try (Child child = new Child(directory, load.formatted(json, url))) {
            child.awaitErr("measure 1.0 s");
            child.signal("STOP");
            child.waitFor(1_300);
            child.signal("CONT");
            child.exit();
        }
        RunResult result = (RunResult) ResultFile.read(json);
        Map<String, Object> stop = result.reasons().stream()
                .filter(reason -> reason.code() == RemarkCode.CLIENT_STOOD_STILL_LONG)
                .findFirst()
                .orElseThrow()
                .figures();
        double length = number(stop.get("longest"));
        double from = number(stop.get("fromSeconds"));
        assertThat(length).isGreaterThan(1);
        assertThat(result.client().gcPauseSeconds())
                .as("the stop is no pause of the collector")
                .isLessThan(length);
        // what happens before or after it may have other causes
        assertThat(result.warnings())
                .filteredOn(warning -> LongTimes.isIn(List.of(warning)))
                .allMatch(warning -> number(warning.figures().get("toSeconds")) <= from
                        || number(warning.figures().get("fromSeconds")) >= from + length);
        assertThat(result.load().outages())
                .allMatch(outage -> outage.toSeconds() <= from || outage.fromSeconds() >= from + length);
    }

    private static double number(Object figure) {
        return ((Number) figure).doubleValue();
    }

    @Test
    void firstSignalWaitsForOperationsAndReports() throws Exception {
        try (Child child = run(2.5, "-c 3 --warmup 0 -T 60s")) {
            child.await(() -> sleeping() == 3);
            child.signal("INT");
            assertThat(child.exit()).isEqualTo(INTERRUPTED);

            assertThat(child.err())
                    .contains("interrupted: waiting for 3 operations; press Ctrl-C again to abort")
                    .containsPattern("\nwaiting for [1-3] operations? \\(5\\d s until the drain limit\\)\n");
            assertLastLine(child, "the report covers the");
            assertThat(child.out()).doesNotContain("unfinished");
        }
    }

    @Test
    void secondSignalAbortsAndReportsUnfinishedOperations() throws Exception {
        Path json = directory.resolve("result.json");
        try (Child child = run(300, "-c 1 --warmup 0 -T 60s --json " + json + "")) {
            child.await(() -> sleeping() == 1);
            child.signal("INT");
            child.awaitErr("interrupted: waiting for 1 operation; press");
            long start = System.nanoTime();
            child.signal("INT");
            child.awaitErr("(exit code 130)");
            double seconds = (System.nanoTime() - start) / 1e9;

            assertThat(child.exit()).isEqualTo(INTERRUPTED);
            assertThat(seconds).isLessThan(10); // one second on an idle machine; the operation takes 300
            assertThat(child.out()).contains("1 unfinished operation");
            Map<String, Object> result = Json.readMap(Files.readString(json));
            assertThat(result.get("run").toString()).contains("partial=true");
            assertLastLine(child, "the report covers the");
            assertThat(sleeping()).isZero();
        }
    }

    @Test
    void endsAFrozenConnectPhase() throws Exception {
        try (java.net.ServerSocket silent = new java.net.ServerSocket(0)) {
            String nowhere = "jdbc:postgresql://127.0.0.1:" + silent.getLocalPort() + "/x?user=x";
            try (Child child = new Child(directory, "-t docs -T 1s --url " + nowhere);
                    java.net.Socket accepted = silent.accept()) {
                assertThat(accepted.isConnected()).isTrue();
                child.signal("INT");
                child.awaitErr("interrupted: waiting for the servers to answer; press Ctrl-C again to abort");
                child.signal("INT");

                assertThat(child.exit()).isEqualTo(INTERRUPTED);
                assertThat(child.err().lines().reduce("", (before, line) -> line))
                        .startsWith("stress: ")
                        .endsWith("; nothing was measured (exit code 130)");
            }
        }
    }

    @Test
    void signalDuringTheWarmupMeasuresNothing() throws Exception {
        try (Child child = run(0.05, "-c 2 --warmup 60s --progress-format plain")) {
            child.awaitErr("warmup 1.0 s");
            child.signal("INT");

            assertThat(child.exit()).isEqualTo(INTERRUPTED);
            assertLastLine(child, "nothing was measured");
            assertThat(child.out()).as("a report of nothing").isEmpty();
        }
    }

    @Test
    void sigtermHasItsOwnExitCode() throws Exception {
        try (Child child = run(0.05, "-c 2 --warmup 0 -T 60s --progress-format plain")) {
            child.awaitErr("measure 1.0 s");
            child.signal("TERM");

            assertThat(child.exit()).isEqualTo(143);
            assertThat(child.err()).contains("; send SIGTERM again to abort", "(exit code 143)");
            assertThat(child.out()).contains("ops/s");
        }
    }

    @Test
    void interruptedComparisonSaysHowToContinue() throws Exception {
        try (Child child = new Child(
                directory,
                "compare --table docs --vary clients=1,2 --duration 300ms --warmup 0 --rounds 500 --url " + url)) {
            child.awaitErr("round 1:");
            child.signal("INT");

            assertThat(child.exit()).isEqualTo(INTERRUPTED);
            assertLastLine(child, "complete round", "run the same command with --resume to continue");
        }
    }

    @Test
    void interruptedSearchReportsItsSteps() throws Exception {
        try (Child child = new Child(directory, "tune -t docs --warmup 100ms -T 500ms --url " + url)) {
            child.awaitErr("1 client: ");
            child.signal("INT");

            assertThat(child.exit()).isEqualTo(INTERRUPTED);
            assertLastLine(child, "the report covers 1 complete step");
        }
    }

    @Test
    void deletesAnUnfinishedDump() throws Exception {
        try (Child child = new Child(directory, "generate --count 900000000 --no-gzip " + directory + "/dump")) {
            Path file = directory.resolve("dump/stress/check_in.bson");
            child.await(() -> file.toFile().length() > 0);
            child.signal("INT");

            assertThat(child.exit()).isEqualTo(INTERRUPTED);
            assertLastLine(child, "the unfinished file was deleted");
            assertThat(file).doesNotExist();
        }
    }

    /**
     * Ctrl-C at random times: each unfinished import says so, and how to continue. In half of them a trigger makes the rows take longer
     * than any wait here.
     */
    @Test
    void interruptedImportSaysWhatIsLoaded() throws Exception {
        for (int count : List.of(1, 60_000)) {
            assertThat(Ended.stress("generate --count %d %s/dump%d".formatted(count, directory, count))
                            .code())
                    .isZero();
        }
        String command = "import %s/dump%d -q --if-exists %s --rejects %s --url %s";
        TestServer.execute(
                url,
                "create function linger() returns trigger language plpgsql as"
                        + " $$ begin perform pg_sleep(0.001); return new; end $$");
        Random random = new Random(17);
        int interrupted = 0;
        for (int i = 0; i < 4; i++) {
            TestServer.execute(url, "drop table if exists check_in");
            boolean lingers = i % 2 == 1;
            if (lingers) { // in a table as an import makes it
                assertThat(Ended.stress(command.formatted(directory, 1, "drop", directory, url))
                                .code())
                        .isZero();
                TestServer.execute(
                        url, "create trigger linger before insert on check_in for each row execute function linger()");
            }
            String ifExists = lingers ? "truncate" : "drop";
            while (sessions() > 0) { // of the import before
                Thread.onSpinWait();
            }
            try (Child child = new Child(directory, command.formatted(directory, 60_000, ifExists, directory, url))) {
                child.await(() -> sessions() > 0);
                child.waitFor(random.nextInt(300));
                child.signal("INT");
                if (child.exit() != 0) {
                    interrupted++;
                    assertThat(child.exit()).as(child.err()).isEqualTo(INTERRUPTED);
                    assertThat(child.err())
                            .containsAnyOf("interrupted: waiting for ", "interrupted: ending"); // nothing has begun yet
                    assertLastLine(child, "ed");
                    assertThat(child.err())
                            .containsAnyOf(
                                    "with --resume to continue",
                                    "nothing was imported",
                                    "before anything was imported",
                                    "the import is complete");
                }
            }
        }
        assertThat(interrupted).isGreaterThan(1);
    }

    private static long sessions() {
        return TestServer.number(
                url, "select count(*) from pg_stat_activity where datname = 'signals' and pid <> pg_backend_pid()");
    }
}
