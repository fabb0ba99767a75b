package io.pgstress.cli;

import static io.pgstress.cli.Ended.stress;
import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.report.file.ResultFile;
import io.pgstress.result.RateSearch;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.Result.Verdict;
import io.pgstress.result.Scaling;
import io.pgstress.testing.Runs;
import io.pgstress.testing.Slow;
import io.pgstress.testing.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code stress tune} on a real server, with the shortest steps. */
@Slow
final class TuneCommandTest {
    @TempDir
    private Path directory;

    private static Ended tune(String... options) {
        return stress("tune", String.join(" ", options));
    }

    @Test
    void refusesOptionsThatTuneDeterminesItself() {
        Ended threads = tune("-c 8 --max-clients 1");
        assertThat(threads.code()).isEqualTo(ExitCode.USAGE);
        assertThat(threads.err())
                .contains("--clients: is what tune searches for; --max-clients limits it")
                .contains("--max-clients: must be at least 2, was 1");
        assertThat(tune("--max-clients many").err()).contains("--max-clients: must be a whole number, was 'many'");
        assertThat(tune("--rate 5 -c 8").err().lines()).hasSize(2);
        Ended rate = tune("--rate 100");
        assertThat(rate.code()).isEqualTo(ExitCode.USAGE);
        assertThat(rate.err()).contains("--rate: the search for the number of clients needs a closed loop");
        assertThat(tune("--repeat-limit soon").err())
                .contains("--repeat-limit: must be a length of time such as 30, 1.5s, 200ms or 5m, was 'soon'");
        assertThat(tune("--latency-limit 20ms").err()).contains("--latency-limit: ", "use --limit");
        assertThat(tune("--csv tables").err()).contains("--csv: can only show runs");
        assertThat(tune("--pool-size 3").err()).contains("--pool-size: has no effect without a pool");
        assertThat(tune("-T 0").err()).contains("--duration: must be longer than 0");
    }

    @Test
    void reportsAClimbWithItsKnee() throws IOException {
        String url = TestServer.freshDatabase("tune");
        TestServer.table(url, "docs", 1000);
        Path json = directory.resolve("t.json");
        Ended ended = tune(
                "--url %s -t docs --warmup 50ms -T 300ms --interval 100ms --max-clients 4 --repeat-limit 2s --json %s"
                        .formatted(url, json));

        Scaling found = (Scaling) ResultFile.read(json);
        assertThat(ended.code())
                .as(ended.err() + ended.out())
                .isEqualTo(found.valid() ? ExitCode.DONE : ExitCode.NOT_VALID);
        assertThat(Runs.reasonsOfTheRunItself(found)).isEmpty();
        assertThat(ended.err()).contains("1 client: ", "2 clients: ");
        assertThat(ended.out()).contains("knee", "peak");
        assertThat(found.steps()).hasSizeGreaterThanOrEqualTo(3);
        assertThat(found.steps().get(0).clients()).isEqualTo(1);
        Scaling.KneeSearch search = found.kneeSearch();
        assertThat(search).isNotNull();
        assertThat(search.repeats()).isNotEmpty();
        if (found.knee() == null) {
            assertThat(found.usability()).isNotEqualTo(Verdict.VALID);
            assertThat(ended.out()).containsAnyOf("Knee not determined: between", "The knee was not reached");
        } else {
            assertThat(search.fromClients())
                    .isEqualTo(search.toClients())
                    .isEqualTo(found.knee().clients());
        }
    }

    @Test
    void sleepingOperationsHaveNoKnee() throws IOException {
        Path json = directory.resolve("nap.json");
        Ended ended = tune(
                "--warmup 100ms --interval 120ms -T 600ms --max-clients 3 --repeat-limit 60s --json " + json,
                nap(0.03));

        Scaling found = (Scaling) ResultFile.read(json);
        assertThat(found.verdict().get(0))
                .as(ended.out())
                .isEqualTo(
                        "The knee was not reached: throughput still rose at 3 clients, the highest number measured.");
        assertThat(found.knee()).isNull();
        assertThat(found.warnings()).contains(RemarkCode.KNEE_NOT_REACHED.remark());
        assertThat(found.kneeSearch()).isNotNull();
        assertThat(found.kneeSearch().ratios()).isNotEmpty().allMatch(r -> r.high() < 0.97);
        assertThat(found.steps()).as("operations of a quarter of an interval").allSatisfy(s -> {
            assertThat(s.low()).isNotNull().isGreaterThan(0.4 * s.opsPerSecond());
            assertThat(s.high()).isNotNull().isLessThan(1.6 * s.opsPerSecond());
        });
        assertThat(ended.out()).contains("2 clients are not enough: ", "clients, repeated");
        assertThat(ended.code()).isEqualTo(found.valid() ? ExitCode.DONE : ExitCode.NOT_VALID);
        assertThat(Runs.reasonsOfTheRunItself(found)).isEmpty();
    }

    /** Creates the operation {@code nap}, and returns the options that run it. */
    private String nap(double seconds) throws IOException {
        String url = TestServer.freshDatabase("nap");
        TestServer.table(url, "docs", 10);
        Path own = directory.resolve("nap.yaml");
        Files.writeString(own, "nap: {steps: [{sql: select pg_sleep(" + seconds + ")}]}\n");
        return " -t docs --op nap --url " + url + " --operations " + own;
    }

    @Test
    void findsTheHighestRateThatKeepsALimit() throws IOException {
        Path json = directory.resolve("rate.json");
        Ended ended = tune(
                "-c 2 --warmup auto --warmup-limit 200ms --interval 100ms -T 300ms --limit p50<100ms --json " + json,
                nap(0.005));
        assertThat(json).as(ended.err()).exists();
        RateSearch found = (RateSearch) ResultFile.read(json);
        assertThat(found.tried()).as(ended.err()).hasSizeGreaterThan(3);
        assertThat(found.tried().get(0).beyond()).hasSize(1);
        assertThat(ended.code())
                .isEqualTo(
                        !found.valid()
                                ? ExitCode.NOT_VALID
                                : found.rate() == null ? ExitCode.LIMIT_BROKEN : ExitCode.DONE);
        if (found.rate() != null) {
            assertThat(found.rate()).isLessThan(800); // two clients can do 400 per second
        }
        assertThat(ended.err()).contains("closed loop: ", " s left");
    }

    @Test
    void refusesWhatALimitDetermines() {
        assertThat(tune("--limit p99<5ms --rate 5 --repeat-limit 5s").err())
                .contains("--rate: is what --limit searches for")
                .contains("--repeat-limit: is for the search for the number of clients");
        assertThat(tune("--limit p99>5ms").err()).contains("--limit: must be a limit that a rate can keep");
        assertThat(tune("--limit p99<5ms --think 1s").err()).contains("--think: needs a closed loop");
    }

    @Test
    void reportsTheStepsBeforeAFailureToConnect() throws IOException {
        String url = TestServer.freshDatabase("few");
        TestServer.table(url, "docs", 10);
        String role = "few" + ProcessHandle.current().pid();
        TestServer.execute(
                url,
                "create role " + role + " login",
                "grant all on docs to " + role,
                "create function no_more() returns void security definer language plpgsql as" + " 'begin alter role "
                        + role + " connection limit 1; end'");
        Path own = directory.resolve("no-more.yaml");
        Files.writeString(own, "no_more: {steps: [{sql: select no_more()}]}\n");
        Path json = directory.resolve("few.json");

        Ended ended = stress(
                "tune --url %s -t docs --operations %s --op no_more --pool none --warmup 20ms --interval 100ms -T 100ms --max-clients 16 --json %s"
                        .formatted(url.replaceFirst("user=\\w+", "user=" + role), own, json));

        assertThat(ended.code()).isEqualTo(ExitCode.TARGET);
        assertThat(((Scaling) ResultFile.read(json)).run().partial()).isTrue();
        assertThat(ended.out()).contains("the climb failed after", "not valid: The run ended early: ", ": not valid, ");
    }
}
