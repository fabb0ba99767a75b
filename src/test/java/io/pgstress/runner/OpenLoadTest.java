package io.pgstress.runner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.pgstress.measure.Phase;
import io.pgstress.result.IntervalResult;
import io.pgstress.result.OperationResult;
import io.pgstress.result.RateStep;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.RunInfo.PhaseLength;
import io.pgstress.result.RunResult;
import io.pgstress.testing.RunsAlone;
import io.pgstress.testing.Slow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The measurement of an open loop at low rates and under overload. */
@Slow
final class OpenLoadTest extends UnderFault {
    @TempDir
    private Path directory;

    /** Runs an operation of this many seconds, without a warm-up. */
    private RunResult nap(double seconds, String options) throws IOException, InterruptedException {
        Path own = Files.writeString(
                directory.resolve("own.yaml"), "nap: {steps: [{sql: select pg_sleep(" + seconds + ")}]}\n");
        return run(RunListener.NONE, "--op nap --operations " + own + " " + options);
    }

    /** Each client is idle for most of an interval, and has its next operation long after it. */
    @ParameterizedTest
    @RunsAlone
    @ValueSource(strings = {"-R 40", "--think 400ms"})
    void intervalsOfMostlyIdleClientsAreCompleteWhenTheyAreReported(String pace) throws InterruptedException {
        Map<Double, Long> told = new TreeMap<>();

        RunResult result = run(
                new RunListener() {
                    @Override
                    public void interval(IntervalResult interval) {
                        told.put(interval.atSeconds(), interval.counts().ok());
                    }
                },
                pace + " -c 16 -T 1.5 -P 500ms --warmup 0");

        Map<Double, Long> atTheEnd = result.intervals().stream()
                .filter(i -> i.in(Phase.MEASURE))
                .collect(Collectors.toMap(
                        IntervalResult::atSeconds, i -> i.counts().ok()));
        atTheEnd.keySet().retainAll(told.keySet()); // a stalled machine skips some
        long inTheEnd = atTheEnd.values().stream().mapToLong(Long::longValue).sum();
        assertThat(inTheEnd).isPositive();
        assertThat(told.values().stream().mapToLong(Long::longValue).sum()).isGreaterThan(Math.round(0.9 * inTheEnd));
    }

    /** The client's threads wait for other things, too, which are not the time of four operations. */
    @Test
    @RunsAlone
    void measuresASlowOpenLoadToItsEndAndFindsNoWaitsInTheClient() throws InterruptedException {
        RunResult result = run(RunListener.NONE, "-R 2 -c 1 -T 1.75 --warmup 0");

        double measured = result.run().phases().stream()
                .filter(p -> p.name().equals("measure"))
                .mapToDouble(PhaseLength::seconds)
                .sum();
        assertThat(measured).isEqualTo(1.75);
        assertThat(result.operations().get("find_first").ok()).isEqualTo(4);
        assertThat(result.remarks())
                .extracting(Remark::code)
                .doesNotContain(RemarkCode.CLIENT_STARVED, RemarkCode.CLIENT_WAITS, RemarkCode.SHARED_HOST_WAITS);
    }

    /**
     * Operations wait in the client beside threads that keep all cores busy, but never for more than what they take beyond a known
     * sleep on the server. How much of it that is depends on how soon the kernel lets a woken thread run, so any share will do.
     */
    @Test
    @RunsAlone
    void waitsInTheClientAreFoundBesideAKnownSleep() throws IOException, InterruptedException {
        AtomicBoolean isOver = new AtomicBoolean();
        int threads = 3 * Runtime.getRuntime().availableProcessors();
        for (int n = 0; n < threads; n++) {
            Thread busy = new Thread(() -> {
                while (!isOver.get()) {
                    Thread.onSpinWait();
                }
            });
            busy.start();
        }
        RunResult result;
        try {
            result = nap(0.02, "-c 4 -T 1.2 --warmup 0.3");
        } finally {
            isOver.set(true);
        }

        double beyond = result.total().latencyMicros().get("total").mean() - 20_000;
        double waited = result.client().ownWaitShare() * (beyond + 20_000);
        assertThat(beyond).isPositive();
        assertThat(waited).isPositive().isLessThanOrEqualTo(beyond);
    }

    @Test
    void overloadReportsByHowMuchItFellBehindAndDropsTheBacklogOfTheWarmup() throws InterruptedException {
        RunResult result = run(RunListener.NONE, "-R 300000 -T 1 --drain 1 --latency-limit 10ms");

        assertThat(result.valid()).isFalse();
        assertThat(result.reasons())
                .anyMatch(w -> (w.code() == RemarkCode.OVERLOAD || w.code() == RemarkCode.OVERLOAD_IN_STEPS))
                .noneMatch(r -> (r.code() == RemarkCode.NO_SUCCESS
                        || r.code() == RemarkCode.NO_SUCCESS_OF_BEGUN
                        || r.code() == RemarkCode.OUTAGE
                        || r.code() == RemarkCode.MOSTLY_IDLE));
        OperationResult operation = result.operations().get("find_first");
        assertThat(operation.ok()).isPositive();
        assertThat(operation.unfinished()).isPositive();
        assertThat(operation.late()).isPositive();
        assertThat(operation.opsPerSecond()).isPositive().isLessThan(200_000);
        assertThat(operation.ok() + operation.failed() + operation.unfinished()).isBetween(299_999L, 300_001L);
        assertThat(operation.latencyMicros().get("response").max()).isGreaterThan(900_000);
        assertThat(result.load().open().droppedFromWarmup()).isPositive();
    }

    @Test
    @RunsAlone
    void eachRateStepHasItsOwnRowAndIntervals() throws InterruptedException {
        RunResult result = run(RunListener.NONE, "-R 100,300000 --step 0.7 -P 0.5 --warmup 0 --drain 1");

        assertThat(result.load().open().rateSteps())
                .extracting(RateStep::targetRate)
                .containsExactly(100.0, 300_000.0);
        RateStep first = result.load().open().rateSteps().get(0);
        RateStep second = result.load().open().rateSteps().get(1);
        assertThat(first.seconds()).isCloseTo(0.7, within(1e-6));
        assertThat(second.fromSeconds()).isCloseTo(0.7, within(1e-6));
        assertThat(first.backlog())
                .as("at its own end, not a moment into the next")
                .isLessThan(10);
        assertThat(first.knee()).isTrue();
        assertThat(second.backlog()).isPositive();
        assertThat(second.opsPerSecond()).isBetween(1.0, 299_999.0);
        assertThat(result.intervals().stream().filter(i -> i.in(Phase.MEASURE)))
                .extracting(i -> i.rates().targetRate())
                .containsExactly(100.0, 100.0, 300_000.0, 300_000.0);
    }

    @Test
    void rateCountsOperationsThatEndedWithinTheWindow() throws IOException, InterruptedException {
        // each of the 4 clients ends one operation at 0.6 s and one in the drain
        RunResult result = nap(0.6, "--warmup 0 -c 4 -T 1");

        OperationResult nap = result.operations().get("nap");
        assertThat(nap.opsPerSecond()).isEqualTo(4);
        assertThat(nap.okInWindow()).isEqualTo(4);
        assertThat(nap.ok()).isEqualTo(8);
        assertThat(nap.latencyMicros().get("total").count()).isEqualTo(8);
        assertThat(result.warnings())
                .anyMatch(w -> (w.code() == RemarkCode.SHORT_WINDOW || w.code() == RemarkCode.UNEVEN_CLIENTS));
    }

    @Test
    void runWithoutEndedOperationsHasNoRate() throws IOException, InterruptedException {
        RunResult result = nap(0.6, "--warmup 0 -c 2 -T 0.4");

        assertThat(result.operations().get("nap").ok()).isEqualTo(2);
        assertThat(result.reasons()).anyMatch(r -> r.code() == RemarkCode.NONE_ENDED);
    }

    /** Operations that take long as usual are no outage, and what did not finish is not missing from the clients' time. */
    @ParameterizedTest
    @CsvSource({"0, 2.2, P99_IS_LOWER_BOUND", "0.4, 2, NONE_ENDED"})
    void sentencesAboutAShortWindowAgree(String warmup, String duration, RemarkCode expected)
            throws IOException, InterruptedException {
        RunResult result = nap(1.5, "-c 4 --warmup " + warmup + " -T " + duration + " --drain 0");

        assertThat(result.total().okInWindow()).isEqualTo(4);
        assertThat(result.load().outages()).isEmpty();
        assertThat(result.reasons()).extracting(Remark::code).contains(expected);
        assertThat(result.remarks())
                .extracting(Remark::code)
                .doesNotContain(
                        RemarkCode.NO_SUCCESS,
                        RemarkCode.NO_SUCCESS_OF_BEGUN,
                        RemarkCode.IDLE_CLIENTS,
                        RemarkCode.MOSTLY_IDLE,
                        RemarkCode.OUTAGE,
                        RemarkCode.UNEVEN_CLIENTS);
    }

    @Test
    void operationsStartedAfterTheEndAreBacklog() throws IOException, InterruptedException {
        // due at 0 s, 0.1 s, ..., 0.9 s; started at 0 s, 0.35 s, 0.7 s, and after the end
        RunResult result = nap(0.35, "--warmup 0 -c 1 -R 10 -T 1");

        assertThat(result.load().open().backlog()).isEqualTo(7);
        assertThat(result.operations().get("nap").ok()).isEqualTo(10);
    }
}
