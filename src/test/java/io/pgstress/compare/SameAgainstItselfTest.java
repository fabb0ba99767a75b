package io.pgstress.compare;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.compare.Comparer.BlockRunner;
import io.pgstress.compare.Comparer.CompareListener;
import io.pgstress.compare.Comparer.Ended;
import io.pgstress.compare.statistics.Power;
import io.pgstress.compare.statistics.StoppingRule;
import io.pgstress.plan.scenario.Limit;
import io.pgstress.plan.scenario.Scenario;
import io.pgstress.plan.scenario.Scenario.Effort;
import io.pgstress.plan.scenario.Scenario.Hooks;
import io.pgstress.plan.scenario.Scenario.Variant;
import io.pgstress.plan.scenario.Scenario.Workload;
import io.pgstress.report.Samples;
import io.pgstress.result.Comparison;
import io.pgstress.result.Comparison.Effect;
import io.pgstress.result.LoadResult;
import io.pgstress.result.OperationResult;
import io.pgstress.result.RunResult;
import io.pgstress.testing.Runs;
import io.pgstress.testing.Slow;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The whole procedure, including the stopping rule, on recorded blocks of a single variant, from a two-core machine on which
 * other programs were being built ({@code bench/same-against-itself/record}). The blocks are replayed as contiguous stretches
 * from random positions; the first block follows the last one.
 */
@Slow
final class SameAgainstItselfTest {
    private static final double BLOCK_SECONDS = 0.8;

    /** For a closer look by hand, use many more: {@code -Dpgstress.comparisons=10000}. */
    private static final int COMPARISONS = Integer.getInteger("pgstress.comparisons", 200);

    private static final int SLOWDOWNS = COMPARISONS / 5;

    /** For the evidence in docs/dev/comparison-method.md, 3%: {@code -Dpgstress.slowdown=3}. */
    private static final double SLOWDOWN = Integer.getInteger("pgstress.slowdown", 8) / 100.0;

    /** Between a third and half of a pair's spread, so that a comparison takes about 40 rounds. */
    private static final double UNTIL = 0.12;

    private static final int PILOT = 40;

    /** The limit that docs/ci.md recommends. */
    private static final List<Limit> LIMITS = List.of(Limit.parse("ops/s<-3%"));

    private static final RunResult SAMPLE = Samples.closed();

    private static final LoadResult LOAD =
            LoadResult.NONE.withNetwork(SAMPLE.load().network());

    private static final Workload WORKLOAD =
            new Workload("", List.of(new Variant("a", Runs.spec("")), new Variant("b", Runs.spec("--seed 2"))));

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
    private static final class Replay implements BlockRunner {
        private final double slowdown;
        private int next;

        Replay(int from, double slowdown) {
            this.next = from;
            this.slowdown = slowdown;
        }

        @Override
        public RunResult run(Variant variant, int cluster) {
            double ops = recorded[next++ % recorded.length];
            return result(variant.name().equals("b") ? ops * (1 - slowdown) : ops);
        }

        long nanoTime() {
            return (long) (next * BLOCK_SECONDS * 1e9);
        }
    }

    private static RunResult result(double opsPerSecond) {
        OperationResult operation = new OperationResult(
                (long) opsPerSecond,
                (long) opsPerSecond,
                0,
                0,
                0,
                0,
                0,
                0,
                Map.of(),
                Map.of(),
                opsPerSecond,
                opsPerSecond,
                null,
                Map.of(),
                Map.of());
        return SAMPLE.with(LOAD.withOperations(Map.of("find_first", operation), List.of()));
    }

    /** One comparison of {@code a} with {@code b}, which continues if more rounds are requested. */
    private static final class Comparing {
        private final Replay replay;
        private final long seed;
        private ComparisonState state = ComparisonState.none("key");

        Comparing(Random random, double slowdown) {
            this.replay = new Replay(random.nextInt(recorded.length), slowdown);
            this.seed = random.nextLong();
        }

        Comparison run(int rounds, double until) {
            Effort effort = new Effort(rounds, until, Duration.ofHours(100), 0, 0, seed);
            Scenario scenario = scenario(effort);
            Comparer comparer =
                    new Comparer(scenario, WORKLOAD, replay, new CompareListener() {}, null, replay::nanoTime);
            Ended ended = comparer.run(state);
            assertThat(ended.isWhole()).isTrue();
            state = ended.state();
            return comparer.comparison(ended, List.of());
        }
    }

    private static Scenario scenario(Effort effort) {
        return new Scenario("", "", List.of(WORKLOAD), "a", Hooks.NONE, effort, LIMITS);
    }

    private static Effect primary(Comparison comparison) {
        return comparison.effects().get(0);
    }

    /** The starting positions are drawn sequentially, so that they do not depend on the number of cores. */
    private static Stream<Comparing> comparing(int comparisons, Random random, double slowdown) {
        return Stream.generate(() -> new Comparing(random, slowdown)).limit(comparisons).toList().parallelStream();
    }

    @Test
    void equalVariantsRarelyDiffer() {
        List<Effect> effects = comparing(COMPARISONS, new Random(1), 0)
                .map(c -> primary(c.run(100_000, UNTIL)))
                .toList();
        assertThat(effects).allMatch(e -> StoppingRule.isLook(e.rounds()));
        long different =
                effects.stream().filter(e -> !e.verdict().equals("undecided")).count();
        long rounds = effects.stream().mapToLong(Effect::rounds).sum();
        told("the same called different", different, COMPARISONS, rounds);
        assertThat(different).isLessThanOrEqualTo(COMPARISONS * 65 / 1000);
    }

    /** False alarms of a job: of a comparison with a limit, and of the same limit on two runs, one after the other. */
    @Test
    void limitOfAComparisonIsRarelyBrokenWithoutAChange() {
        for (int rounds : List.of(12, 40)) {
            long broken = comparing(COMPARISONS, new Random(3), 0)
                    .filter(c -> c.run(rounds, 0).limits().get(0).broken())
                    .count();
            told("ops/s<-3% of the same broken", broken, COMPARISONS, (long) rounds * COMPARISONS);
            assertThat(broken).isLessThanOrEqualTo(COMPARISONS * 40 / 1000);

            long slower = new Random(3)
                    .ints(COMPARISONS, 0, recorded.length)
                    .filter(from -> mean(from + rounds, rounds) < 0.97 * mean(from, rounds))
                    .count();
            told("the same in the second of two runs 3% slower", slower, COMPARISONS, (long) rounds * COMPARISONS);
            assertThat(slower).isGreaterThan(5 * broken);
        }
    }

    /** The rate of a run as long as this number of blocks. */
    private static double mean(int from, int blocks) {
        return IntStream.range(from, from + blocks)
                .mapToDouble(i -> recorded[i % recorded.length])
                .average()
                .orElseThrow();
    }

    /** The number of rounds is the one that {@code --dry-run --spread} gives for this slowdown after {@value #PILOT} rounds. */
    @Test
    void findsASlowdownInTheForecastTime() {
        List<Effect> effects = comparing(SLOWDOWNS, new Random(2), SLOWDOWN)
                .map(c -> primary(c.run(roundsAskedFor(c.run(PILOT, 0)), 0)))
                .toList();
        long found = effects.stream().filter(e -> e.verdict().equals("slower")).count();
        long rounds = effects.stream().mapToLong(Effect::rounds).sum();
        told("slowdowns found", found, SLOWDOWNS, rounds);
        assertThat(found).isGreaterThanOrEqualTo(SLOWDOWNS * 80 / 100);
    }

    private static int roundsAskedFor(Comparison pilot) {
        double spread = Forecast.spreads(scenario(new Effort(PILOT, 0, Duration.ofHours(1), 0, 0, 1)), pilot)
                .values()
                .iterator()
                .next();
        return Power.pairsToFind(Math.log1p(SLOWDOWN), spread, 0.95);
    }

    private static void told(String what, long times, int of, long rounds) {
        System.err.printf(Locale.ROOT, "%s: %d of %d, %d rounds on average%n", what, times, of, rounds / of);
    }
}
