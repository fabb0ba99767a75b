package io.pgstress.runner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.pgstress.measure.Phase;
import io.pgstress.plan.RunSpec;
import io.pgstress.result.IntervalResult;
import io.pgstress.result.OperationResult;
import io.pgstress.result.Outage;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.RunResult;
import io.pgstress.target.embedded.EmbeddedServer;
import io.pgstress.testing.Runs;
import io.pgstress.testing.ServerHomes;
import io.pgstress.testing.Slow;
import io.pgstress.testing.TestServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server that restarts under load. The test has its own server, because others would lose all sessions. */
@Slow
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "signals are sent by kill")
final class RestartTest {
    private static final Path HOME = Path.of("target", "restarted-server").toAbsolutePath();

    private static final double MEASURED = 6;
    private static final double DRAIN = 2;

    /**
     * The time after the drain, for the last readings of clients and counters, each in a session that takes a second to start.
     */
    private static final double AFTERWARDS = 6;

    /**
     * Kills a session's process at the end of the second interval, so that the server restarts; from then on, connecting takes
     * a second.
     */
    private static RunListener killer(String url) {
        return new RunListener() {
            private int intervals;

            @Override
            public void interval(IntervalResult interval) {
                if (interval.in(Phase.MEASURE) && ++intervals == 2) {
                    long pid = TestServer.number(
                            url, "select min(pid) from pg_stat_activity where application_name = 'pgstress'");
                    TestServer.execute(url, "alter system set pre_auth_delay = 1", "select pg_reload_conf()");
                    kill(pid);
                }
            }
        };
    }

    private static void kill(long pid) {
        try {
            new ProcessBuilder("kill", "-KILL", Long.toString(pid)).start().waitFor();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "hikari"})
    void reportsTheRestartAndEndsInTime(String pool) throws InterruptedException {
        ServerHomes.make(HOME);
        try (EmbeddedServer server = EmbeddedServer.open(HOME)) {
            String url = server.url();
            TestServer.execute(url, "alter system reset pre_auth_delay", "select pg_reload_conf()");
            TestServer.execute(url, "drop table if exists docs");
            TestServer.table(url, "docs", 1_000);
            long start = System.nanoTime();

            RunResult result = Runs.runner(spec(url, pool), killer(url)).run();

            double afterwards = isAnyMachineFull(result) ? 2 * AFTERWARDS : AFTERWARDS;
            assertThat((System.nanoTime() - start) / 1e9).isLessThan(MEASURED + DRAIN + afterwards);
            assertToldOf(result);
        }
    }

    private static RunSpec spec(String url, String pool) {
        return Runs.spec("-t docs -c 8 --pool %s --warmup 0 -P 0.5 -T %s --drain %s --url %s%s"
                .formatted(pool, MEASURED, DRAIN, url, UnderFault.PACED));
    }

    private static boolean isAnyMachineFull(RunResult result) {
        return result.serverProfile().bottleneck().stream()
                .anyMatch(remark -> remark.severity() == RemarkCode.Severity.CAUSE);
    }

    private static void assertToldOf(RunResult result) {
        OperationResult operation = result.operations().get("find_first");
        assertThat(operation.errors().keySet())
                .containsAnyOf("57P02", "08006")
                .allMatch(state -> state.matches("57P0[1-3]|08...|client"));
        assertThat(operation.failed())
                .isPositive(); // a client may pause meanwhile, or wait for a connection of the pool
        assertThat(operation.ok())
                .isEqualTo(result.intervals().stream()
                        .mapToLong(i -> i.counts().ok())
                        .sum());
        assertThat(operation.opsPerSecond()).isCloseTo(operation.okInWindow() / MEASURED, withinPercentage(0.1));
        Map<Boolean, List<Outage>> outages =
                result.load().outages().stream().collect(Collectors.partitioningBy(Outage::silent));
        assertThat(outages.get(false)).isNotEmpty();
        if (!isAnyMachineFull(result)) {
            assertThat(outages.get(false))
                    .as("no machine was full, which may cause another outage")
                    .hasSize(1);
        }
        Outage outage = outages.get(false).get(0);
        assertThat(outages.get(true))
                .isEmpty(); // the silent server is named in the outage, not reported as another one with other times
        assertThat(result.intervals()).filteredOn(i -> i.in(Phase.MEASURE)).allSatisfy(i -> {
            boolean isWithin = outages.get(false).stream()
                    .anyMatch(o -> o.fromSeconds() <= i.atSeconds() && o.toSeconds() >= i.atSeconds() + i.seconds());
            assertThat(i.counts().ok() == 0).isEqualTo(isWithin);
        });
        assertThat(outage.fromSeconds()).isGreaterThan(0.9);
        assertThat(outage.toSeconds() - outage.fromSeconds()).isGreaterThan(0.5);
        assertThat(outage.toSeconds()).isLessThan(MEASURED);
    }
}
