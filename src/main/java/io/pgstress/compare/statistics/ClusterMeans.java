package io.pgstress.compare.statistics;

import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The mean of pairs of blocks when both sides have several database clusters. A cluster is faster or slower than another of the same
 * build by chance, for example by its layout in memory and on disk (C. Curtsinger and E. Berger, Stabilizer, ASPLOS 2013). More rounds
 * on it do not average that out, so the clusters are the unit. In the rounds, each cluster meets different clusters of the other side. The error is therefore that of
 * two-way clustering, the sum of the variances by the clusters of one side and by those of the other (A. C. Cameron, J. Gelbach and
 * D. Miller, Robust Inference With Multiway Clustering, Journal of Business &amp; Economic Statistics 29, 2011), each as in
 * {@link Groups}, which needs at least two clusters. What the sum counts twice, the noise of the rounds, is not subtracted: with few clusters that would make intervals too
 * narrow. If the clusters meet in fixed pairs, these are the unit. Intervals are Student's, with degrees of freedom by
 * F. E. Satterthwaite (Biometrics Bulletin 2, 1946). Immutable.
 */
public final class ClusterMeans implements Difference {
    private static final int SWEEPS = 20;

    private final int size;
    private final Student mean;
    private final Spread spread;

    /**
     * @param values one per round
     * @param own the cluster of the variant in each round, at least two different ones
     * @param other the cluster of the baseline in each round, at least two different ones
     */
    public ClusterMeans(double[] values, int[] own, int[] other) {
        this.size = values.length;
        Groups ofOwn = groups(values, own);
        Groups ofOther = groups(values, other);
        boolean arePairs = count(own) == pairs(own, other) && count(other) == pairs(own, other);
        double a = Math.pow(ofOwn.errorOfMean(), 2);
        double b = arePairs ? 0 : Math.pow(ofOther.errorOfMean(), 2);
        double degrees = a + b == 0
                ? ofOwn.count() - 1
                : (a + b) * (a + b) / (a * a / (ofOwn.count() - 1) + b * b / (ofOther.count() - 1));
        this.mean = new Student(Arrays.stream(values).average().orElseThrow(), Math.sqrt(a + b), degrees);
        int clusters = Math.min(ofOwn.count(), ofOther.count());
        int ways = arePairs ? 1 : 2;
        double noise = noise(values, own, other, arePairs);
        this.spread = new Spread(
                Math.max(0, a + b - ways * noise / size) * clusters, noise, ways, degrees / (clusters - 1), clusters);
    }

    private static int count(int... clusters) {
        return (int) Arrays.stream(clusters).distinct().count();
    }

    private static int pairs(int[] own, int[] other) {
        Set<Long> pairs = new HashSet<>();
        for (int i = 0; i < own.length; i++) {
            pairs.add(((long) own[i] << Integer.SIZE) + other[i]);
        }
        return pairs.size();
    }

    private static Groups groups(double[] values, int[] cluster) {
        int[] order = IntStream.range(0, values.length)
                .boxed()
                .sorted(Comparator.comparingInt(i -> cluster[i]))
                .mapToInt(i -> i)
                .toArray();
        return Groups.of(
                Arrays.stream(order).mapToDouble(i -> values[i]).toArray(),
                Arrays.stream(order).map(i -> cluster[i]).toArray());
    }

    /** The variance of a pair around what its clusters have; 0 if there are too few rounds to tell. */
    private double noise(double[] values, int[] own, int[] other, boolean arePairs) {
        double[] left = values.clone();
        for (int sweep = 0; sweep < SWEEPS; sweep++) { // least squares, also if clusters did not meet equally often
            removeMeans(left, own);
            removeMeans(left, other);
        }
        int degreesLeft = size - count(own) - (arePairs ? 0 : count(other) - 1);
        return degreesLeft < 1
                ? 0
                : Arrays.stream(left).map(residual -> residual * residual).sum() / degreesLeft;
    }

    private static void removeMeans(double[] values, int[] clusters) {
        Map<Integer, Double> means = IntStream.range(0, values.length)
                .boxed()
                .collect(Collectors.groupingBy(i -> clusters[i], Collectors.averagingDouble(i -> values[i])));
        Arrays.setAll(values, i -> values[i] - means.getOrDefault(clusters[i], 0.0));
    }

    @Override
    public int size() {
        return size;
    }

    public double mean() {
        return mean.estimate();
    }

    /** What the clusters and the rounds contribute to the error. */
    public Spread spread() {
        return spread;
    }

    /** {@link #spread()} at the upper bound of its error, for forecasts. */
    public Spread upperSpread() {
        double times = Math.pow(Power.upperBound(mean.degrees()), 2);
        return new Spread(
                spread.between * times, spread.noise * times, spread.ways, spread.degreesPerCluster, spread.clusters);
    }

    @Override
    public double pValue() {
        return mean.pValue();
    }

    @Override
    public Interval student(double confidence) {
        return mean.interval(confidence);
    }

    @Override
    public Interval interval(double confidence) {
        return mean.interval(confidence);
    }

    /**
     * Components of variance, from which follows what other numbers of clusters and rounds would find: T. Kalibera and R. Jones,
     * Rigorous Benchmarking in Reasonable Time, ISMM 2013.
     *
     * @param between the variance of the difference of two clusters
     * @param noise the variance of a pair on the same two clusters
     * @param ways how many times the noise counts, 1 or 2
     * @param degreesPerCluster degrees of freedom that a cluster beyond the first adds
     * @param clusters number of clusters of each variant from which it is known
     */
    public record Spread(double between, double noise, int ways, double degreesPerCluster, int clusters) {
        /** No more are looked for. */
        public static final int MAX_CLUSTERS = 100;

        /** Two-way clustering whose clusters differ by this standard deviation in a pair, without noise of the rounds. */
        public static Spread ofClusters(double deviation) {
            return new Spread(deviation * deviation, 0, 2, 2, 0);
        }

        /** Half of the width of the interval with these numbers; without an end to the rounds for infinitely many. */
        public double halfWidth(int number, double roundsPerCluster, double confidence) {
            return Quantiles.t((1 + confidence) / 2, degrees(number)) * error(number, roundsPerCluster);
        }

        /** The difference that is found with probability {@value Power#POWER}. */
        public double detectable(int number, double roundsPerCluster, double confidence) {
            double degrees = degrees(number);
            return (Quantiles.t((1 + confidence) / 2, degrees) + Quantiles.t(Power.POWER, degrees))
                    * error(number, roundsPerCluster);
        }

        private double degrees(int number) {
            return Math.max(1, degreesPerCluster * (number - 1));
        }

        private double error(int number, double roundsPerCluster) {
            return Math.sqrt((between + ways * noise / roundsPerCluster) / number);
        }

        /** The smallest number of clusters that finds this difference; 0 if a hundred are too few. */
        public int clustersToFind(double difference, double roundsPerCluster, double confidence) {
            return IntStream.rangeClosed(2, MAX_CLUSTERS)
                    .filter(n -> detectable(n, roundsPerCluster, confidence) <= difference)
                    .findFirst()
                    .orElse(0);
        }

        /** The smallest number of clusters whose interval has at most this half width; 0 if a hundred are too few. */
        public int clustersToNarrow(double halfWidth, double roundsPerCluster, double confidence) {
            return IntStream.rangeClosed(2, MAX_CLUSTERS)
                    .filter(n -> halfWidth(n, roundsPerCluster, confidence) <= halfWidth)
                    .findFirst()
                    .orElse(0);
        }

        /**
         * The number of rounds per cluster that gives the narrowest interval for the time: the square root of the ratio of costs times the
         * ratio of variances (Kalibera and Jones, 2013, section 6).
         *
         * @param clusterSeconds time for a further cluster of each variant
         * @param roundSeconds time of a round
         * @return 0 if the clusters do not differ
         */
        public int bestRounds(double clusterSeconds, double roundSeconds) {
            return between == 0
                    ? 0
                    : (int) Math.ceil(Math.sqrt(clusterSeconds / roundSeconds * ways * noise / between));
        }
    }
}
