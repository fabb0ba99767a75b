package io.pgstress.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.pgstress.compare.Climber.Climbed;
import io.pgstress.measure.LatencyHistogram;
import io.pgstress.report.Samples;
import io.pgstress.report.format.ResultLine;
import io.pgstress.result.Latency;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.result.Result.Verdict;
import io.pgstress.result.RunResult;
import io.pgstress.result.Scaling;
import io.pgstress.result.Scaling.Step;
import io.pgstress.text.Records;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;

final class ClimberTest {
    private static final RunResult RESULT = Samples.closed();

    /** Rises up to 20 clients and then falls slightly; times rise with the number of clients. */
    private static double throughput(int clients) {
        return clients <= 20 ? 1000.0 * clients : 20_000 - 20.0 * (clients - 20);
    }

    private static Climbed climb(IntToDoubleFunction throughput, int most) {
        return climb(throughput, most, Duration.ofSeconds(1000));
    }

    private static Climbed climb(IntToDoubleFunction throughput, int most, Duration repeats) {
        AtomicLong clock = new AtomicLong();
        return new Climber(
                        clients -> {
                            clock.addAndGet(5_000_000_000L);
                            double ops = throughput.applyAsDouble(clients);
                            Latency l = new Latency(1000, 1, 1, 1, 1, 1000.0 * clients, 1, 1, null, null, null);
                            return new Measurement(new Step(clients, 1, ops, null, null, l, 0), RESULT);
                        },
                        1,
                        most,
                        repeats,
                        clock::get)
                .climb();
    }

    @Test
    void kneeIsTheFewestClientsNearTheBest() {
        Climbed climbed = climb(ClimberTest::throughput, 1024);

        assertThat(climbed.steps())
                .extracting(m -> m.step().clients())
                .containsExactly(1, 2, 4, 8, 16, 32, 64, 128, 24, 20, 18);
        Scaling found = ClimbEvaluation.of(climbed, List.of());
        assertThat(found.knee()).isNotNull();
        assertThat(found.knee().clients()).isEqualTo(20);
        assertThat(found.run().scenario()).doesNotContainKey("clients");
        assertThat(found.fit()).isNotNull();
        assertThat(found.verdict().get(0)).startsWith("20 clients are enough");
    }

    @Test
    void endsIfNothingSucceeds() {
        Climbed never = climb(n -> 0, 1024);

        assertThat(never.steps()).hasSize(1);
        Scaling found = ClimbEvaluation.of(never, List.of());
        assertThat(found.knee()).isNull();
        assertThat(found.valid()).isFalse();
        assertThat(found.verdict())
                .containsExactly("No operation succeeded, so the number of clients cannot be judged.");
        assertThat(climb(n -> n < 8 ? n : 0, 1024).steps())
                .extracting(m -> m.step().clients())
                .startsWith(1, 2, 4, 8)
                .doesNotContain(16);
    }

    @Test
    void keepsTheStepsBeforeAFailure() {
        RuntimeException failure = new IllegalStateException("no connection");
        Climbed climbed = climb(
                n -> {
                    if (n > 4) {
                        throw failure;
                    }
                    return n;
                },
                1024);

        assertThat(climbed.steps()).hasSize(3);
        assertThat(climbed.failure()).isSameAs(failure);
        Scaling found = ClimbEvaluation.of(climbed, List.of());
        assertThat(found.run().partial()).isTrue();
        assertThat(found.verdict())
                .startsWith("The knee was not reached, because the climb failed after 3 steps: throughput still rose at"
                        + " 4 clients, the highest number measured.");
    }

    /** The limit of clients is not what ended it. */
    @Test
    void interruptionIsWhyThereIsNoKnee() {
        Climbed whole = climb(n -> n, 2);
        Climbed climbed = Records.with(Records.with(whole, "isWhole", false), "failure", null);

        Scaling found = ClimbEvaluation.of(climbed, List.of());

        assertThat(found.warnings())
                .extracting(Remark::code)
                .contains(RemarkCode.CLIMB_ENDED_EARLY)
                .doesNotContain(RemarkCode.KNEE_NOT_REACHED);
        assertThat(ResultLine.of(found))
                .startsWith("The knee was not reached, because the climb was interrupted after ");
        assertThat(ClimbEvaluation.of(whole, List.of()).warnings())
                .extracting(Remark::code)
                .contains(RemarkCode.KNEE_NOT_REACHED);
    }

    @Test
    void endsAtTheMaximumNumberOfClients() {
        assertThat(climb(n -> n, 6).steps()).extracting(m -> m.step().clients()).containsExactly(1, 2, 4, 6, 5);
    }

    private static IntToDoubleFunction noisy(IntToDoubleFunction throughput, double spread, long seed) {
        Random random = new Random(seed);
        return n -> throughput.applyAsDouble(n) * Math.exp(spread * random.nextGaussian());
    }

    @Test
    void overlappingStepsGiveAForecastInsteadOfAKnee() {
        Scaling found = ClimbEvaluation.of(
                climb(noisy(ClimberTest::throughput, 0.05, 2), 64, Duration.ofSeconds(100)), List.of());

        assertThat(found.knee()).isNull();
        assertThat(found.usability()).isEqualTo(Verdict.VALID_WITH_WARNINGS);
        assertThat(found.warnings()).extracting(Remark::code).contains(RemarkCode.KNEE_NOT_DETERMINED);
        assertThat(found.verdict().get(0))
                .matches("Knee not determined: between \\d+ and \\d+ clients; about [\\d.]+ (s|min|h) more would settle"
                        + " it \\(--repeat-limit \\d+m\\)\\.");
        assertThat(found.kneeSearch()).isNotNull();
        assertThat(found.kneeSearch().secondsToDecide()).isGreaterThan(60);
    }

    @Test
    void thereIsNoKneeWithoutRepeats() {
        Scaling found = ClimbEvaluation.of(climb(ClimberTest::throughput, 1024, Duration.ZERO), List.of());

        assertThat(found.knee()).isNull();
        assertThat(found.verdict().get(0))
                .isEqualTo(
                        "Knee not determined: between 16 and 24 clients; no step was measured again (--repeat-limit).");
    }

    @Test
    void repeatsEndInTime() {
        Climbed climbed = climb(noisy(ClimberTest::throughput, 0.05, 2), 64, Duration.ofSeconds(100));

        assertThat(climbed.repeats().seconds()).isBetween(50.0, 100.0);
    }

    @Test
    void repeatsAlternateBetweenSteps() {
        Climbed climbed = climb(ClimberTest::throughput, 1024);

        assertThat(climbed.repeats().measured())
                .extracting(m -> m.step().clients())
                .startsWith(18, 20, 24, 24, 20, 18, 18, 20, 24);
    }

    @Test
    void kneesFiguresCoverAllMeasurementsWithItsClients() {
        Climbed climbed = climb(noisy(ClimberTest::throughput, 0.01, 1), 64);
        Scaling found = ClimbEvaluation.of(climbed, List.of());
        int clients = found.knee().clients();

        List<Step> measured = climbed.all().stream()
                .map(Measurement::step)
                .filter(step -> step.clients() == clients)
                .toList();
        assertThat(measured).hasSizeGreaterThan(4);
        assertThat(found.knee().opsPerSecond())
                .isCloseTo(
                        measured.stream()
                                .mapToDouble(Step::opsPerSecond)
                                .average()
                                .orElseThrow(),
                        within(1e-9))
                .isNotEqualTo(measured.get(0).opsPerSecond());
    }

    @Test
    void pooledP99IsThatOfAllOperations() {
        Step lucky = new Step(1, 1, 1000, null, null, latencyOf(900, 100), 0);
        Step usual = new Step(1, 9, 1000, null, null, latencyOf(5000, 900), 0);

        assertThat(ClimbEvaluation.pooled(1, List.of(lucky, usual)).p99Micros()).isCloseTo(5000, within(50.0));
    }

    private static Latency latencyOf(long micros, int count) {
        LatencyHistogram histogram = new LatencyHistogram();
        for (int i = 0; i < count; i++) {
            histogram.record(micros * 1000);
        }
        return Latency.of(histogram);
    }

    @Test
    void risingThroughputHasNoKnee() {
        Scaling found = ClimbEvaluation.of(climb(n -> 100 * n, 16), List.of());

        assertThat(found.knee()).isNull();
        assertThat(found.verdict().get(0))
                .isEqualTo(
                        "The knee was not reached: throughput still rose at 16 clients, the highest number measured.");
    }

    /** If throughput does not depend on the number of clients, the knee is at 1 client. */
    @Test
    void noiseGivesAFalseKneeInAtMost5Percent() {
        int wrong = 0;
        for (int seed = 0; seed < 300; seed++) {
            Scaling found = ClimbEvaluation.of(climb(noisy(n -> 1000, 0.03, seed), 64), List.of());
            wrong += found.knee() != null && found.knee().clients() != 1 ? 1 : 0;
        }
        assertThat(wrong).isLessThan(15);
    }
}
