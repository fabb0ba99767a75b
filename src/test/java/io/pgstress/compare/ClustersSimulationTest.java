package io.pgstress.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.pgstress.compare.statistics.ClusterMeans;
import io.pgstress.compare.statistics.Difference;
import io.pgstress.testing.Slow;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Simulated comparisons of builds whose clusters differ by chance: how often a difference is found that is not there, and one that is. The
 * table in docs/dev/comparison-method.md is what this prints.
 */
@Slow
final class ClustersSimulationTest {
    private static final int COMPARISONS = 1000;

    /** Standard deviation of a cluster's rate. */
    private static final double OF_CLUSTER = 0.03;

    /** Standard deviation of a block on one cluster. */
    private static final double OF_BLOCK = 0.02;

    /** Standard deviation of what all blocks of a round have in common. */
    private static final double OF_ROUND = 0.05;

    /** What is simulated. */
    private record Case(int clusters, int rounds, double ofCluster, double slowdown) {
        /** The blocks of a comparison; {@code b} is slower. */
        List<MeasuredBlock> blocks(Random random, boolean areClustersKnown) {
            List<double[]> levels = List.of(new double[clusters], new double[clusters]);
            levels.forEach(each -> Arrays.setAll(each, i -> ofCluster * random.nextGaussian()));
            List<MeasuredBlock> blocks = new ArrayList<>();
            for (int round = 0; round < rounds; round++) {
                double common = OF_ROUND * random.nextGaussian();
                for (int side = 0; side < 2; side++) {
                    int cluster = BlockOrder.cluster(round, clusters, side == 0);
                    double log = levels.get(side)[cluster - 1]
                            + common
                            + OF_BLOCK * random.nextGaussian()
                            + (side == 0 ? 0 : Math.log1p(-slowdown));
                    blocks.add(new MeasuredBlock(
                            round,
                            side == 0 ? "a" : "b",
                            areClustersKnown ? cluster : 0,
                            0,
                            1,
                            0,
                            Map.of(Metrics.PRIMARY, 1000 * Math.exp(log)),
                            null));
                }
            }
            return blocks;
        }

        Difference pairs(Random random, boolean areClustersKnown) {
            return new BlockPairs(blocks(random, areClustersKnown), "a")
                    .logRatio("b", Metrics.PRIMARY)
                    .orElseThrow();
        }

        /** Share of comparisons with a difference. */
        double found(boolean areClustersKnown) {
            Random random = new Random(1);
            int found = 0;
            for (int i = 0; i < COMPARISONS; i++) {
                found += pairs(random, areClustersKnown).interval(0.95).excludes(0) ? 1 : 0;
            }
            return (double) found / COMPARISONS;
        }
    }

    @ParameterizedTest
    @CsvSource({"2, 12", "3, 8", "3, 12", "3, 30", "5, 15", "8, 8", "10, 30"})
    void buildRarelyDiffersFromItself(int clusters, int rounds) {
        double byClusters = new Case(clusters, rounds, OF_CLUSTER, 0).found(true);
        double byRounds = new Case(clusters, rounds, OF_CLUSTER, 0).found(false);
        double alike = new Case(clusters, rounds, 0, 0).found(true);
        told(
                clusters,
                rounds,
                "no difference: by clusters %.3f, by rounds %.3f, clusters alike %.3f",
                byClusters,
                byRounds,
                alike);

        assertThat(byClusters).isLessThanOrEqualTo(0.06);
        assertThat(alike).isLessThanOrEqualTo(0.06);
        if (clusters < rounds) {
            assertThat(byRounds).isGreaterThan(2 * byClusters);
        }
    }

    /** What one data directory per version would find, as {@code compare} had done before. */
    @Test
    void oneClusterEachFindsDifferencesThatAreNotThere() {
        assertThat(new Case(1, 12, OF_CLUSTER, 0).found(false)).isGreaterThan(0.5);
    }

    @ParameterizedTest
    @CsvSource({"3, 12, 0.2, 0.6, 0.9", "5, 15, 0.4, 0.9, 0.99", "10, 30, 0.8, 0.99, 0.99"})
    void plantedSlowdownsAreFound(int clusters, int rounds, double least5, double least10, double least20) {
        double five = new Case(clusters, rounds, OF_CLUSTER, 0.05).found(true);
        double ten = new Case(clusters, rounds, OF_CLUSTER, 0.10).found(true);
        double twenty = new Case(clusters, rounds, OF_CLUSTER, 0.20).found(true);
        told(clusters, rounds, "found of 5%%, 10%%, 20%%: %.3f, %.3f, %.3f", five, ten, twenty);

        assertThat(five).isGreaterThanOrEqualTo(least5);
        assertThat(ten).isGreaterThanOrEqualTo(least10);
        assertThat(twenty).isGreaterThanOrEqualTo(least20);
    }

    /** The share found is that of the forecast for the variance that is planted. */
    @ParameterizedTest
    @CsvSource({"3, 9", "5, 25"})
    void forecastIsTheShareFound(int clusters, int rounds) {
        ClusterMeans.Spread spread =
                new ClusterMeans.Spread(2 * OF_CLUSTER * OF_CLUSTER, 2 * OF_BLOCK * OF_BLOCK, 2, 2, clusters);
        double detectable = spread.detectable(clusters, (double) rounds / clusters, 0.95);

        assertThat(new Case(clusters, rounds, OF_CLUSTER, -Math.expm1(-detectable)).found(true))
                .isCloseTo(0.8, within(0.1));
    }

    @Test
    void componentsOfVarianceAreThoseThatWerePlanted() {
        Random random = new Random(2);
        double[] between = new double[COMPARISONS];
        double[] noise = new double[COMPARISONS];
        for (int i = 0; i < COMPARISONS; i++) {
            ClusterMeans means = (ClusterMeans) new Case(5, 25, OF_CLUSTER, 0).pairs(random, true);
            between[i] = means.spread().between();
            noise[i] = means.spread().noise();
        }

        assertThat(Math.sqrt(IntStream.range(0, COMPARISONS)
                                .mapToDouble(i -> between[i])
                                .average()
                                .orElseThrow()
                        / 2))
                .isCloseTo(OF_CLUSTER, within(0.003));
        assertThat(Math.sqrt(Arrays.stream(noise).average().orElseThrow() / 2)).isCloseTo(OF_BLOCK, within(0.002));
    }

    private static void told(int clusters, int rounds, String what, Object... figures) {
        System.err.printf(Locale.ROOT, "%d clusters, %d rounds: " + what + "%n", args(clusters, rounds, figures));
    }

    private static Object[] args(int clusters, int rounds, Object... figures) {
        List<Object> all = new ArrayList<>(List.of(clusters, rounds));
        all.addAll(List.of(figures));
        return all.toArray();
    }
}
