package io.pgstress.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.report.file.ResultFile;
import io.pgstress.result.HostResult;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.RunResult;
import io.pgstress.testing.Child;
import io.pgstress.testing.Runs;
import io.pgstress.testing.Slow;
import io.pgstress.testing.TestServer;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** Hosts are lost during a test: an agent is killed, another frozen, or the command killed. The killed agent comes last. */
@Slow
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class FleetLossTest {
    private static final long MAX_LOAD_SECONDS = 10;

    private static String url;
    private static ThreeAgents fleet;

    @TempDir
    private static Path directory;

    @BeforeAll
    static void start() throws Exception {
        url = TestServer.freshDatabase("fleet_loss");
        TestServer.table(url, "docs", 20_000);
        fleet = new ThreeAgents(directory);
    }

    @AfterAll
    static void stop() {
        fleet.close();
    }

    /** Starts a command; returns when its hosts load the server. */
    private static Child load(String options) throws IOException, InterruptedException {
        Child command = new Child(directory, fleet.with("-t docs -c 6 --quiet --url " + url, options));
        command.await(() -> inserts() > 20);
        return command;
    }

    private static long inserts() {
        return TestServer.number(url, "select count(*) from docs_copy");
    }

    private static long selects() {
        return TestServer.number(
                url,
                "select coalesce(sum(calls), 0) from pg_stat_statements where query like '%select _id, data from%'");
    }

    @Test
    @Order(1)
    void theLoadOfAKilledCommandEnds() throws Exception {
        TestServer.execute(url, "create table docs_copy (like docs)");
        long killed;
        try (Child command = load("--op find_insert --rate 100 --warmup 0 -T 60")) {
            killed = System.nanoTime();
            command.signal("KILL");
            assertThat(command.exit()).as(command.err() + fleet.said()).isEqualTo(137);
        }
        fleet.agent(0).await(() -> fleet.sessions(url) == 0);
        assertThat((System.nanoTime() - killed) / 1e9).isLessThan(MAX_LOAD_SECONDS);
        assertThat(fleet.said()).contains("lost the command");
    }

    /** What it wrote then would be in no result, and in the tables of the next run. */
    @Test
    @Order(2)
    void aHostThatWasFrozenWritesNothingAfterTheResult() throws Exception {
        TestServer.execute(url, "truncate docs_copy");
        Path json = directory.resolve("frozen.json");
        try (Child command = load("--op find_insert -R 600 --warmup 0 -T 4s --tolerate-lost 1 --json " + json)) {
            fleet.agent(1).signal("STOP");
            assertThat(command.exit()).as(command.err() + fleet.said()).isIn(0, 5);
        }
        long rows = inserts();
        int said = fleet.agent(1).err().length();
        fleet.agent(1).signal("CONT");
        fleet.agent(1).await(() -> fleet.agent(1).err().substring(said).matches("(?s).*(done|ended) for .*"));
        fleet.agent(1).await(() -> fleet.sessions(url) == 0);

        assertThat(inserts()).isEqualTo(rows);
        RunResult result = (RunResult) ResultFile.read(json);
        assertThat(result.hosts()).extracting(HostResult::wasLost).containsExactly(false, true, false);
        assertThat(figure(result, RemarkCode.INSERTS_FOUND, "inserted")
                        + figure(result, RemarkCode.LOST_HOST_ROWS, "rows"))
                .isEqualTo(rows);
        assertThat(result.warnings()).extracting(Remark::code).doesNotContain(RemarkCode.LOST_HOST_MAY_WRITE);
    }

    private static long figure(RunResult result, RemarkCode code, String name) {
        return ((Number) Runs.found(result, code).get(0).get(name)).longValue();
    }

    /** The next test begins at once on the same agents. */
    @Test
    @Order(3)
    void theOthersGoOnWithoutAKilledAndAFrozenHost() throws Exception {
        TestServer.execute(url, "truncate docs_copy");
        Path json = directory.resolve("lost.json");
        try (Child command = load("--op find_insert -R 300 --warmup 0 -T 8s --tolerate-lost 1 --json " + json)) {
            fleet.agent(1).signal("STOP");
            fleet.agent(2).signal("KILL");
            long faults = System.nanoTime();
            command.awaitErr("Lost host h3");
            command.awaitErr("Lost host h2");
            double seconds = (System.nanoTime() - faults) / 1e9;
            fleet.agent(1).signal("CONT");

            assertThat(command.exit()).as(command.err() + fleet.said()).isEqualTo(5);
            assertThat(seconds).isLessThan(7); // 5 without a busy machine
            assertThat(command.out())
                    .containsPattern("a host was lost, and [\\d,]+ rows of docs_copy differ by what it wrote");
        }
        RunResult result = (RunResult) ResultFile.read(json);
        assertThat(result.hosts())
                .as(result.reasons() + fleet.said())
                .extracting(HostResult::wasLost)
                .containsExactly(false, true, true);
        assertThat(result.hosts().get(0).ok()).isGreaterThan(600);
        assertThat(result.reasons())
                .filteredOn(reason -> reason.code() == RemarkCode.HOST_LOST)
                .extracting(reason -> reason.figures().get("host"))
                .contains("host h2", "host h3");
        assertThat(result.total().unfinished()).isLessThan(100); // what was not sent has no response time
        // it ended its load, and did not take part again
        fleet.agent(1).await(() -> fleet.agent(1).err().matches("(?s).*(lost the command|stood still).*"));
        assertThat(inserts()).isGreaterThanOrEqualTo(result.total().ok());
    }

    /** A tolerated loss does not make the result invalid, and the lost clients are not said to have been idle. */
    @Test
    @Order(4)
    void aToleratedLossIsNotBlamedOnTheClients() throws Exception {
        Path json = directory.resolve("tolerated.json");
        TestServer.execute(url, "select pg_stat_statements_reset()");
        try (Child command = new Child(
                directory,
                "-t docs -c 4 --think 5ms --quiet --warmup 0 -T 60s --agents 2 --tolerate-lost 1",
                "--json %s --join %s --url %s".formatted(json, fleet.join(), url))) {
            command.await(() -> selects() > 100);
            fleet.agent(1).signal("KILL");
            command.awaitErr("Lost host h2");
            long before = selects();
            command.await(() -> selects() > 2 * before); // idle clients would have been idle for half of the time
            command.signal("INT");
            assertThat(command.exit()).as(command.err() + fleet.said()).isEqualTo(130);
        }
        RunResult result = (RunResult) ResultFile.read(json);
        assertThat(result.hosts()).extracting(HostResult::wasLost).containsExactly(false, true);
        assertThat(result.warnings()).extracting(Remark::code).contains(RemarkCode.HOST_LOST_AS_TOLERATED);
        assertThat(result.reasons()).noneMatch(reason -> reason.code() == RemarkCode.IDLE_CLIENTS);
    }
}
