package io.pgstress.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.pgstress.cli.Ended;
import io.pgstress.report.file.ResultFile;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.RunResult;
import io.pgstress.result.Scaling;
import io.pgstress.testing.EveryJdk;
import io.pgstress.testing.Runs;
import io.pgstress.testing.Slow;
import io.pgstress.testing.TestServer;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Kinds of load and commands that do on three hosts what they do on one. */
@EveryJdk
@Slow
final class FleetCommandsTest extends OnThreeHosts {
    @BeforeAll
    static void makeTables() {
        TestServer.table(url, "docs", 1000);
    }

    @Test
    void tuneReportsHostsAndClients() throws IOException {
        Path json = directory.resolve("tune.json");
        Ended ended = fleet.stress(
                "tune --max-clients 3 --repeat-limit 0 --warmup 200ms -P 500ms -T 1s -t docs",
                "--json %s --url %s".formatted(json, url));

        assertThat(ended.code()).as(ended.err() + fleet.said()).isIn(0, 1, 5);
        Scaling found = (Scaling) ResultFile.read(json);
        assertThat(found.steps()).allMatch(step -> step.opsPerSecond() > 0 && step.clients() >= 3);
    }

    /** The arrivals of three hosts are those of one with the same seed. What the warm-up lacked is named. */
    @Test
    void randomArrivalsAreShared() throws IOException {
        String[] load = on(
                "docs",
                "-c 6 --rate 400 --arrival poisson --seed 7 --warmup 0 --warmup-executions 1000000 --warmup-limit 300ms -T 0.5");
        Path json = directory.resolve("alone.json");
        Ended alone = Ended.stress(String.join(" ", load), "--json " + json);
        assertThat(alone.code()).as(alone.err()).isIn(0, 1, 5);
        RunResult run = fleet.run(load);

        assertThat(ended(run)).isEqualTo(ended((RunResult) ResultFile.read(json)));
        assertThat(run.warnings())
                .extracting(Remark::code)
                .contains(RemarkCode.WARMUP_CUT)
                .doesNotContain(RemarkCode.UNSTEADY);
    }

    private static long ended(RunResult run) {
        assertThat(run.total().errors()).isEmpty();
        return run.total().ok() + run.total().unfinished();
    }

    @Test
    void roundsAreCountedOverAllHosts() throws IOException {
        RunResult run = run("docs", "--op bulk_insert -c 3 --warmup 0 --rounds 2 --round-time 1s");

        assertThat(run.load().halts().count()).isEqualTo(1); // between the two rounds
        assertThat(run.run().measuredSeconds()).isCloseTo(2, within(1e-6));
        assertThat(run.hosts()).allMatch(host -> host.ok() > 0);
        assertThat(Runs.found(run, RemarkCode.COUNTS_AGREE))
                .singleElement()
                .satisfies(figures -> assertThat(figures.get("found")).isEqualTo(figures.get("acknowledged")));
    }
}
