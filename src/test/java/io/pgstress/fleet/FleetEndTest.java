package io.pgstress.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.cli.Ended;
import io.pgstress.fleet.HostGroup.GroupSettings;
import io.pgstress.report.file.ResultFile;
import io.pgstress.result.HostResult;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.RunResult;
import io.pgstress.testing.Child;
import io.pgstress.testing.Slow;
import io.pgstress.testing.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Runs on three hosts that end early or cannot begin: the messages, and whether the next run can begin at once. */
@Slow
final class FleetEndTest extends OnThreeHosts {
    private static final int ROWS = 900;
    private static final int CLIENTS = 6;

    @BeforeAll
    static void makeTables() {
        TestServer.table(url, "docs", ROWS);
    }

    private static String[] load(String options) {
        return on("docs", "--think 2ms --warmup 0 -c " + CLIENTS + " " + options);
    }

    /** No host works for an earlier test any more: a short run is complete. */
    private static void assertNextTestBeginsAtOnce() throws IOException {
        long begin = System.nanoTime();
        RunResult next = fleet.run(load("-T 0.2 --interval 0.2"));
        assertThat(next.hosts()).hasSize(ThreeAgents.HOSTS).noneMatch(HostResult::wasLost);
        assertThat((System.nanoTime() - begin) / 1e9).isLessThan(20);
    }

    private static void assertNoLoad() {
        assertThat(fleet.sessions(url)).isZero();
    }

    @Test
    void usedUpIdsEndAllHostsWithoutAReset() throws IOException {
        TestServer.execute(url, "drop table if exists docs_copy");
        RunResult run = fleet.run(load("--op find_insert --no-reset -T 60"));

        assertThat(run.total().ok()).isBetween(1L, (long) ROWS);
        assertThat(run.total().duplicates()).isZero();
        assertThat(TestServer.number(url, "select count(*) from docs_copy"))
                .isEqualTo(run.total().ok());
        assertThat(run.run().measuredSeconds()).isLessThan(30);
        assertThat(run.run().partial()).isTrue();
        assertNoLoad();
    }

    @Test
    void firstErrorEndsAllHosts() throws IOException {
        Path file = Files.writeString(directory.resolve("fails.yaml"), """
            fails:
              parameters: {i: {sequence: 0}}
              steps: [{sql: "select 1 / (case when :i::bigint = 300 then 0 else 1 end)"}]
            """);
        RunResult run = fleet.run(load("--op fails --operations " + file + " --on-error stop -T 60"));

        assertThat(run.total().errors()).containsOnlyKeys("22012");
        assertThat(run.total().errors().get("22012").text())
                .as("the user's file, not the agent's")
                .startsWith(file + ":");
        assertThat(run.total().failed()).isEqualTo(1);
        assertThat(run.run().measuredSeconds()).isLessThan(30);
        assertThat(run.reasons()).anyMatch(reason -> reason.code() == RemarkCode.ENDED_EARLY);
        assertNoLoad();
    }

    /** The agents know what their clients wait for, and the command repeats it. */
    @Test
    void clientsThatHangAreReportedWithWhatTheyWaitFor() throws IOException {
        Path file = Files.writeString(directory.resolve("hangs.yaml"), """
            hangs:
              steps: [{sql: "select pg_sleep(60)"}]
            """);
        RunResult run = fleet.run(
                on("docs", "-c " + CLIENTS + " --op hangs --operations " + file + " --warmup 0.5 -T 0.6 --drain 0.5"));

        assertThat(run.hosts()).hasSize(ThreeAgents.HOSTS).noneMatch(HostResult::wasLost);
        assertThat(run.reasons())
                .filteredOn(reason -> reason.code() == RemarkCode.HUNG_CLIENTS)
                .singleElement()
                .satisfies(reason -> assertThat(reason.figures())
                        .containsEntry("clients", CLIENTS / ThreeAgents.HOSTS)
                        .containsEntry("waiting", Map.of("an answer of the server", CLIENTS / ThreeAgents.HOSTS)));
        assertNoLoad();
    }

    /** Ctrl-C at the command: all hosts stop, and what was measured is reported. */
    @Test
    void interruptEndsAllHostsAndIsReported() throws Exception {
        Path json = directory.resolve("interrupted.json");
        try (Child command =
                new Child(directory, fleet.with(load("-T 60 --interval 0.5 --progress-format plain --json " + json)))) {
            command.await(() -> fleet.sessions(url) > CLIENTS); // all of them, and control connections
            fleet.assertNoneIsFree(null, " works for stress-");
            command.awaitErr("measure 0.5 s");
            command.signal("INT");
            assertThat(command.exit()).as(command.err()).isEqualTo(130);
            assertNoLoad();
            assertThat(command.err()).contains("the report covers the");
            RunResult run = (RunResult) ResultFile.read(json);
            assertThat(run.run().partial()).isTrue();
            assertThat(run.hosts()).noneMatch(HostResult::wasLost).allMatch(host -> host.ok() > 0);
            assertThat(run.hosts().stream().mapToLong(HostResult::ok).sum())
                    .isEqualTo(run.total().okInWindow());
        }
        assertNextTestBeginsAtOnce();
    }

    /** Everything that is wrong is said in one line, before a load begins. */
    @Test
    void refusesWhatCannotBegin() throws Exception {
        assertRefused(
                2, "--agents: 3 hosts need at least as many clients", fleet.stress(on("docs", "--warmup 0 -c 2")));
        assertRefused(2, "--agents: needs --join with the address", Ended.stress(load("--agents 3")));
        assertRefused(
                2,
                "--join: must be HOST or HOST:PORT, was 'nowhere:x'",
                Ended.stress(load("--agents 3 --join nowhere:x")));
        Ended unknown = Ended.stress(load("--agents 3 --join no.such.host.invalid"));
        assertRefused(3, "--join: unknown host: no.such.host.invalid:7800", unknown);
        Path input = Files.writeString(directory.resolve("rows.jsonl"), "{\"_id\": 1}\n");
        assertRefused(2, "--op: load is done by one host", fleet.stress(load("--op load")));
        assertRefused(2, "--tls-keystore", fleet.stress(load("--tls-keystore " + input)));
        assertRefused(2, "--listen", fleet.stress(load("--listen 0.0.0.0:7800")));
        Ended alone = Ended.stress(on("nowhere", "--warmup 0 -c " + CLIENTS));
        assertRefused(alone.code(), alone.err(), fleet.stress(on("nowhere", "--warmup 0 -c " + CLIENTS)));
        assertRefused(3, "there is no table nowhere", alone);
    }

    /** An agent of another program version is named, and so are agents that are too few. */
    @Test
    void namesAnAgentOfAnotherVersion() throws Exception {
        int port = TestHost.freePorts(1).get(0);
        GroupSettings settings = TestHost.settings("old", port, List.of(port), null);
        try (Agent old = new Agent(settings, "0.0.1", (work, run) -> {}, line -> {})) {
            old.open();
            Ended ended = Ended.stress(load("--agents 1 --join 127.0.0.1:" + port));
            assertRefused(3, "1 is needed", ended);
            assertThat(ended.err()).contains("old").contains("0.0.1");
        }
    }

    private static void assertRefused(int code, String text, Ended ended) {
        assertThat(ended.code()).as(ended.err()).isEqualTo(code);
        assertThat(ended.err()).contains(text);
        assertThat(ended.err().strip().lines().filter(line -> line.startsWith("stress: ")))
                .as(ended.err())
                .hasSize(1);
        assertThat(ended.err()).doesNotContain("Exception").doesNotContain("\tat ");
        assertThat(ended.out()).isEmpty();
    }
}
