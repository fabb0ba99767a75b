package io.pgstress.runner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.pgstress.result.Outage;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.RunResult;
import io.pgstress.testing.CountingProxy;
import io.pgstress.testing.Runs;
import io.pgstress.testing.RunsAlone;
import io.pgstress.testing.TestServer;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A run reports a stall whose length a proxy determines. */
@RunsAlone
final class OutageTruthTest extends UnderFault {
    /** The delay that a loaded machine may add between the proxy and a client. */
    private static final double MAX_APART = 0.25;

    private static void standStill(CountingProxy proxy, double seconds) {
        proxy.standStill();
        long end = System.nanoTime() + (long) (seconds * 1e9);
        while (System.nanoTime() < end) {
            LockSupport.parkNanos(end - System.nanoTime());
        }
        proxy.goOn();
    }

    @ParameterizedTest
    @CsvSource({"0.9, platform, false", "2.3, platform, false", "0.9, platform, true"})
    void reportsTheLengthOfAStallAndDoesNotBlameTheClient(double seconds, String threads, boolean isOpen)
            throws InterruptedException {
        try (CountingProxy proxy = new CountingProxy(TestServer.port())) {
            String through = url.replace(":" + TestServer.port(), ":" + proxy.port());
            RunResult result = Runs.runner(
                            Runs.spec(
                                    "-t docs -c 8 --warmup 0.5 -P 0.5 -T %s --client-threads %s%s"
                                            .formatted(1 + seconds + 0.5, threads, isOpen ? " -R 300" : " --drain 5"),
                                    "--url " + through),
                            atInterval(2, () -> later(() -> standStill(proxy, seconds))))
                    .run();

            assertThat(result.load().outages()).hasSize(1);
            Outage outage = result.load().outages().get(0);
            assertThat(outage.toSeconds() - outage.fromSeconds()).isCloseTo(proxy.longestSilence(), within(MAX_APART));
            assertThat(outage.fromSeconds()).isGreaterThan(0.9);
            assertThat(outage.operationsLost()).isPositive();
            assertThat(outage.silent()).isFalse();
            assertThat(result.operations().get("find_first").failed()).isZero();
            assertThat(result.remarks())
                    .anyMatch(w -> (w.code() == RemarkCode.NO_SUCCESS
                            || w.code() == RemarkCode.NO_SUCCESS_OF_BEGUN
                            || w.code() == RemarkCode.SERVER_UNAVAILABLE
                            || w.code() == RemarkCode.OUTAGE))
                    .noneMatch(w -> w.text().contains("its own, not the server's"))
                    .noneMatch(w -> w.text().contains("stalled for"))
                    .noneMatch(w -> (w.code() == RemarkCode.SERVER_SILENT
                            || w.code() == RemarkCode.SERVER_SILENT_AFTERWARDS
                            || w.code() == RemarkCode.CHECKS_UNANSWERED));
        }
    }

    private static void later(Runnable action) {
        Thread thread = new Thread(action, "later");
        thread.setDaemon(true);
        thread.start();
    }

    @ParameterizedTest
    @CsvSource({"1", "10"})
    void timeWithoutDueOperationsIsNotAnOutage(String rate) throws InterruptedException {
        RunResult result = run(RunListener.NONE, "-R " + rate + " -T 1.6");

        assertThat(result.load().outages()).isEmpty();
    }
}
