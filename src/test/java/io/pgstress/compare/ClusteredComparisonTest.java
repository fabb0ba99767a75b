package io.pgstress.compare;

import static org.assertj.core.api.Assertions.assertThat;

import io.pgstress.compare.Comparer.CompareListener;
import io.pgstress.compare.Comparer.Ended;
import io.pgstress.plan.scenario.Scenario;
import io.pgstress.plan.scenario.Scenario.Effort;
import io.pgstress.plan.scenario.Scenario.Hooks;
import io.pgstress.plan.scenario.Scenario.Variant;
import io.pgstress.plan.scenario.Scenario.Workload;
import io.pgstress.result.Comparison;
import io.pgstress.result.Comparison.Block;
import io.pgstress.result.Comparison.Effect;
import io.pgstress.result.RemarkCode;
import io.pgstress.testing.Runs;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.ToDoubleBiFunction;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Comparisons of artificial blocks on several clusters of each variant. */
final class ClusteredComparisonTest {
    private static final Variant A = new Variant("a", Runs.spec("--server 17"));
    private static final Variant B = new Variant("b", Runs.spec("--server 18"));
    private static final Variant PLAIN = new Variant("plain", Runs.spec("--server 17 -M plain"));

    private final List<String> settled = new ArrayList<>();
    private final Random random = new Random(1);

    private static Scenario scenario(int rounds, double until, int clusters, Variant... variants) {
        return new Scenario(
                "",
                "",
                List.of(new Workload("", List.of(variants))),
                "a",
                Hooks.NONE,
                new Effort(rounds, until, Duration.ofHours(100), 0, clusters, 1),
                List.of());
    }

    private Comparer comparer(Scenario scenario, ToDoubleBiFunction<Variant, Integer> speed) {
        return new Comparer(
                scenario,
                scenario.workloads().get(0),
                (variant, cluster) -> SampleBlocks.block(
                        (long) (10_000 * speed.applyAsDouble(variant, cluster) * (1 + 0.002 * random.nextGaussian()))),
                new CompareListener() {
                    @Override
                    public void settling(String variant) {
                        settled.add(variant);
                    }
                },
                null,
                System::nanoTime);
    }

    private Comparison compare(Scenario scenario, ToDoubleBiFunction<Variant, Integer> speed) {
        Comparer comparer = comparer(scenario, speed);
        Ended ended = comparer.run(ComparisonState.none("key"));
        assertThat(ended.failure()).isNull();
        return comparer.comparison(ended, List.of());
    }

    private static Map<String, Map<Integer, Long>> blocksByCluster(Comparison comparison) {
        Map<String, Map<Integer, Long>> counts = new LinkedHashMap<>();
        for (Block block : comparison.blocks()) {
            counts.computeIfAbsent(block.variant(), v -> new LinkedHashMap<>()).merge(block.cluster(), 1L, Long::sum);
        }
        return counts;
    }

    /** The first cluster of b happens to be faster than the others. Rounds repeat that, and clusters do not. */
    private static double luck(Variant variant, int cluster) {
        return variant.equals(B) ? cluster == 1 ? 1.12 : 1.02 : 1;
    }

    @Test
    void luckOfOneClusterIsNoDifference() {
        Comparison several = compare(scenario(12, 0, 3, A, B), ClusteredComparisonTest::luck);

        assertThat(several.clusters()).isEqualTo(3);
        assertThat(several.effects().get(0).verdict()).isEqualTo("undecided");
        assertThat(several.effects().get(0).clustersToDecide()).isGreaterThan(3);
        assertThat(blocksByCluster(several))
                .containsEntry("a", Map.of(1, 4L, 2, 4L, 3, 4L))
                .containsEntry("b", Map.of(1, 4L, 2, 4L, 3, 4L));
        assertThat(settled).hasSize(6).doesNotHaveDuplicates();

        Comparison one = compare(scenario(12, 0, 1, A, B), ClusteredComparisonTest::luck);

        assertThat(one.effects().get(0).verdict()).isEqualTo("faster");
        assertThat(one.warnings()).anyMatch(remark -> remark.code() == RemarkCode.ONE_CLUSTER);
        assertThat(several.warnings()).noneMatch(remark -> remark.code() == RemarkCode.ONE_CLUSTER);
    }

    @Test
    void everyClusterMeetsEveryClusterOfTheBaseline() {
        List<Block> blocks =
                compare(scenario(9, 0, 3, A, B), (variant, cluster) -> 1).blocks();
        Map<Integer, List<Block>> byRound = blocks.stream().collect(Collectors.groupingBy(Block::round));

        assertThat(byRound.values())
                .extracting(round -> round.stream()
                        .sorted(Comparator.comparing(Block::variant))
                        .map(Block::cluster)
                        .toList())
                .doesNotHaveDuplicates()
                .hasSize(9);
    }

    /** They are on the same server, so the luck of its clusters is not part of their difference. */
    @Test
    void variantsOnOneServerShareItsClusters() {
        Comparison found = compare(
                scenario(12, 0, 3, A, PLAIN, B),
                (variant, cluster) -> (variant.equals(B) ? 1 : 1 + 0.1 * cluster) * (variant.equals(PLAIN) ? 0.97 : 1));

        assertThat(found.effects().get(0).variant()).isEqualTo("plain");
        assertThat(found.effects().get(0).verdict()).isEqualTo("slower");
    }

    @Test
    void untilEndsWhenTheClustersAreTooFew() {
        Comparison found = compare(scenario(200, 0.01, 3, A, B), ClusteredComparisonTest::luck);

        assertThat(found.blocks()).hasSize(2 * 8);
        assertThat(found.run().partial()).isFalse();

        Comparison alike = compare(scenario(200, 0.01, 3, A, B), (variant, cluster) -> 1);

        assertThat(alike.effects().get(0).low()).isGreaterThan(0.99);
    }

    @Test
    void resumedComparisonHasFurtherClusters() {
        Ended first =
                comparer(scenario(6, 0, 3, A, B), ClusteredComparisonTest::luck).run(ComparisonState.none("key"));
        Comparer comparer = comparer(scenario(12, 0, 3, A, B), (variant, cluster) -> 1);
        Comparison found = comparer.comparison(comparer.run(first.state()), List.of());

        assertThat(found.clusters()).isEqualTo(6);
        assertThat(blocksByCluster(found).get("b")).containsOnlyKeys(1, 2, 3, 4, 5, 6);
    }

    @Test
    void forecastCountsWithTheClusters() {
        Comparison earlier = compare(scenario(12, 0, 3, A, B), ClusteredComparisonTest::luck);
        Effect effect = earlier.effects().get(0);

        assertThat(Forecast.spreads(scenario(12, 0, 3, A, B), earlier)).isEmpty();
        assertThat(Forecast.clusterSpreads(scenario(12, 0, 3, A, B), earlier))
                .hasSize(1)
                .allSatisfy((words, spread) -> {
                    assertThat(spread.between()).isGreaterThan(100 * spread.noise());
                    assertThat(spread.bestRounds(20, 10)).isEqualTo(1);
                    assertThat(spread.clustersToNarrow(0.04, 4, 0.95)).isGreaterThan(effect.rounds());
                });
        assertThat(Forecast.servers(scenario(12, 0, 3, A, PLAIN, B))).hasSize(6);
        assertThat(Forecast.lines(scenario(12, 0, 3, A, B), Map.of(), Map.of()))
                .isNotEqualTo(Forecast.lines(scenario(12, 0, 4, A, B), Map.of(), Map.of()));
    }

    @Test
    void variantsThatShareServersHaveNoClusters() {
        Comparison found = compare(scenario(12, 0, 0, A, PLAIN), (variant, cluster) -> 1);

        assertThat(found.clusters()).isNull();
        assertThat(found.blocks()).allMatch(block -> block.cluster() == null);
        assertThat(settled).hasSize(2);
    }
}
