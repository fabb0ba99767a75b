package io.pgstress.runner;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.RunResult;
import io.pgstress.testing.EveryJdk;
import io.pgstress.testing.Slow;
import io.pgstress.testing.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** What a run does and reports if its server stalls. */
@EveryJdk
@Slow
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "signals are sent by kill")
final class FrozenServerTest extends UnderFault {
    /** All processes of the server are stopped for 1.2 seconds. */
    private void freeze() {
        List<String> pids = serverProcesses();
        signal("-STOP", pids);
        after(() -> signal("-CONT", pids), 1_200);
    }

    private static List<String> serverProcesses() {
        try {
            long postmaster =
                    Long.parseLong(Files.readAllLines(TestServer.DIRECTORY.resolve("postgresql-18/data/postmaster.pid"))
                            .get(0)
                            .trim());
            List<String> pids = new ArrayList<>(List.of(Long.toString(postmaster)));
            ProcessHandle.of(postmaster).orElseThrow().descendants().forEach(p -> pids.add(Long.toString(p.pid())));
            return pids;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void signal(String signal, List<String> pids) {
        try {
            List<String> command = new ArrayList<>(List.of("kill", signal));
            command.addAll(pids);
            new ProcessBuilder(command).start().waitFor();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void openLoadShowsAFrozenServerInItsPercentiles() throws InterruptedException {
        RunResult result = run(atInterval(1, this::freeze), "-P 0.5 -R 1000 -T 3");

        var response = result.operations().get("find_first").latencyMicros().get("response");
        assertThat(response.p99()).isBetween(1_000_000.0, 1_800_000.0);
        assertThat(response.p90())
                .as("1.2 of 3 seconds' operations were due meanwhile")
                .isBetween(700_000.0, 1_300_000.0);
        assertThat(result.load().open().scheduleLagMicros()).isNotNull();
        assertThat(result.load().open().scheduleLagMicros().max()).isGreaterThan(1_000_000.0);
        assertThat(result.operations().get("find_first").ok()).isBetween(2_990L, 3_010L);
    }

    @Test
    void closedLoadWarnsOfAFrozenServer() throws InterruptedException {
        RunResult result = run(atInterval(1, this::freeze), "-P 0.5 -T 2.4" + PACED);

        assertThat(result.remarks())
                .anyMatch(w -> (w.code() == RemarkCode.NO_SUCCESS
                        || w.code() == RemarkCode.NO_SUCCESS_OF_BEGUN
                        || w.code() == RemarkCode.OUTAGE
                        || w.code() == RemarkCode.SERVER_UNAVAILABLE))
                .noneMatch(w -> w.code() == RemarkCode.STALL);
        assertThat(result.operations().get("find_first").errors()).isEmpty();
    }

    @Test
    void waitsForAFrozenServerOnlyForTheDrainAndAFewSeconds() throws InterruptedException {
        List<String> pids = new ArrayList<>();
        long start = System.nanoTime();
        try {
            RunResult result = run(
                    atInterval(1, () -> {
                        pids.addAll(serverProcesses());
                        signal("-STOP", pids);
                    }),
                    "-P 0.5 -T 0.8 --drain 1" + PACED);

            assertThat((System.nanoTime() - start) / 1e9).isLessThan(0.5 + 0.8 + 1 + 12);
            assertThat(result.operations().get("find_first").unfinished()).isEqualTo(8);
            assertThat(result.serverProfile().notes()).extracting(Remark::code).contains(RemarkCode.SILENT_AFTER_RUN);
        } finally {
            signal("-CONT", pids);
        }
    }
}
