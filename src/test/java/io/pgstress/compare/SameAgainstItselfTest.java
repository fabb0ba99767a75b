package io.pgstress.compare;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.compare.Comparer.Ended;
import io.pgstress.compare.statistics.Power;
import io.pgstress.compare.statistics.StoppingRule;
import io.pgstress.plan.Effort;
import io.pgstress.plan.Hooks;
import io.pgstress.plan.Scenario;
import io.pgstress.plan.Scenario.Variant;
import io.pgstress.plan.Scenario.Workload;
import io.pgstress.report.Samples;
import io.pgstress.result.Comparison;
import io.pgstress.result.OperationResult;
import io.pgstress.result.RunResult;
import io.pgstress.testing.Runs;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The whole procedure, stopping rule included, over blocks of one and the same variant that were recorded one after the
 * other on a two-core machine where others were building programs ({@code bench/same-against-itself/record}): replayed as
 * contiguous stretches from anywhere, the last block followed by the first.
 */
final class SameAgainstItselfTest {
    private static final double BLOCK_SECONDS = 1.6;

    private static double[] recorded;

    @BeforeAll
    static void read() throws IOException {
        try (InputStream in =
                Objects.requireNonNull(SameAgainstItselfTest.class.getResourceAsStream("/compare/noisy-blocks.csv"))) {
            recorded = new String(in.readAllBytes(), StandardCharsets.US_ASCII)
                    .lines()
                    .mapToDouble(line -> Double.parseDouble(line.split(",", 2)[0]))
                    .toArray();
        }
    }

    /** A stretch of the record; the variant {@code b} is slowed down. */
    private static final class Replay implements Blocks {
        private final double slowdown;
        private int next;

        Replay(int from, double slowdown) {
            this.next = from;
            this.slowdown = slowdown;
        }

        @Override
        public RunResult run(Variant variant) {
            double ops = recorded[next++ % recorded.length];
            return result(variant.name().equals("b") ? ops * (1 - slowdown) : ops);
        }

        long nanoTime() {
            return (long) (next * BLOCK_SECONDS * 1e9);
        }
    }

    private static RunResult result(double opsPerSecond) {
        RunResult r = Samples.closed();
        OperationResult operation = new OperationResult(
                (long) opsPerSecond, 0, 0, 0, 0, 0, 0, Map.of(), opsPerSecond, opsPerSecond, null, Map.of(), Map.of());
        return new RunResult(
                r.schema(),
                r.tool(),
                r.run(),
                r.client(),
                r.servers(),
                r.dataset(),
                Map.of("find_first", operation),
                List.of(),
                null,
                null,
                r.halts(),
                r.serverProfile(),
                List.of(),
                List.of(),
                r.network(),
                true,
                List.of());
    }

    private static Comparison compare(Effort effort, int from, double slowdown) {
        Workload workload =
                new Workload("", List.of(new Variant("a", Runs.spec()), new Variant("b", Runs.spec("seed", "2"))));
        Scenario scenario = new Scenario("", "", List.of(workload), "a", Hooks.NONE, effort, List.of());
        Replay replay = new Replay(from, slowdown);
        Comparer comparer = new Comparer(scenario, workload, replay, new CompareListener() {}, null, replay::nanoTime);
        Ended ended = comparer.run(State.none("key"));
        assertThat(ended.isWhole()).isTrue();
        return comparer.finding(ended);
    }

    private static String verdict(Comparison comparison) {
        return comparison.effects().get(0).verdict();
    }

    @Test
    void theSameIsCalledDifferentNoMoreOftenThanItSays() {
        Random random = new Random(1);
        int different = 0;
        int rounds = 0;
        for (int i = 0; i < 1000; i++) {
            Effort effort = new Effort(100_000, 0.06, Duration.ofHours(10), 0, random.nextLong());
            Comparison comparison = compare(effort, random.nextInt(recorded.length), 0);
            String verdict = verdict(comparison);
            different += verdict.equals("faster") || verdict.equals("slower") ? 1 : 0;
            int ran = comparison.effects().get(0).rounds();
            assertThat(StoppingRule.isLook(ran)).isTrue();
            rounds += ran;
        }
        System.err.printf(
                "same against itself: %d of 1000 called different, %d rounds on average%n", different, rounds / 1000);
        assertThat(different).isLessThanOrEqualTo(65);
    }

    @Test
    void aSlowdownOf3PercentIsFoundInTheTimeThatWasAskedFor() {
        Random random = new Random(2);
        int found = 0;
        long rounds = 0;
        for (int i = 0; i < 200; i++) {
            int from = random.nextInt(recorded.length);
            Comparison pilot = compare(new Effort(40, 0, Duration.ofHours(10), 0, random.nextLong()), from, 0.03);
            double spread = Forecast.spreads(pilot).values().iterator().next();
            int asked = Power.pairsToFind(Math.log1p(0.03), spread, 0.95);
            rounds += asked;
            Effort effort = new Effort(asked, 0, Duration.ofHours(100), 0, random.nextLong());
            found += verdict(compare(effort, random.nextInt(recorded.length), 0.03))
                            .equals("slower")
                    ? 1
                    : 0;
        }
        System.err.printf("slowdown of 3%%: found in %d of 200, %d rounds on average%n", found, rounds / 200);
        assertThat(found).isGreaterThanOrEqualTo(160);
    }
}
