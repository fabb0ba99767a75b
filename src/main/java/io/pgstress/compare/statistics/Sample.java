package io.pgstress.compare.statistics;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Figures such as the logarithms of the ratios of paired blocks. They come in groups (squares of rounds, see
 * {@code BlockOrder}); groups are independent of each other, figures of one need not be: from
 * {@value #FEWEST_GROUPS} groups on the error of the mean is that of the groups, below it that of the figures.
 * Intervals are Student's, and from {@value #BOOTSTRAP_FROM} groups on the symmetric bootstrap-t's (P. Hall, On Symmetric
 * Bootstrap Confidence Intervals, Journal of the Royal Statistical Society B 50, 1988), which does not take them for normal:
 * the quantiles of the size of the studentized means of drawn groups take the place of t. The equal-tailed one, with a
 * quantile for each side, is moved by a single outlier, and covers 93% of recorded blocks where it says 95%. Immutable; the
 * bootstrap draws from a fixed seed.
 */
public final class Sample implements Difference {
    /** With fewer groups the interval of their means would be too wide to be of use. */
    public static final int FEWEST_GROUPS = 10;

    /** The bootstrap needs at least this many groups: with fewer, it covers less than it claims. */
    public static final int BOOTSTRAP_FROM = 20;

    private static final int DRAWS = 1999;

    private final int size;
    private final double mean;
    private final double deviation;
    private final Groups groups;
    private double[] studentized = {};

    /** Figures that are independent of each other, at least 2. */
    public Sample(double... values) {
        this(values, Groups.ofOne(values));
    }

    private Sample(double[] values, Groups groups) {
        if (values.length < 2) {
            throw new IllegalArgumentException("at least 2 figures are needed, there are " + values.length);
        }
        this.size = values.length;
        this.mean = Arrays.stream(values).sum() / size;
        double squares = Arrays.stream(values).map(v -> (v - mean) * (v - mean)).sum();
        this.deviation = Math.sqrt(squares / (size - 1));
        this.groups = groups;
    }

    /**
     * Figures in groups.
     *
     * @param values at least 2
     * @param group of each value, in order
     */
    public static Sample inGroups(double[] values, int[] group) {
        Groups groups = Groups.of(values, group);
        return new Sample(values, groups.count() >= FEWEST_GROUPS ? groups : Groups.ofOne(values));
    }

    @Override
    public int size() {
        return size;
    }

    public double mean() {
        return mean;
    }

    /** The standard deviation of one figure. */
    public double deviation() {
        return deviation;
    }

    /** Student's interval of the mean that holds it with this confidence, e.g. 0.95. */
    @Override
    public Interval student(double confidence) {
        return around(Quantiles.t((1 + confidence) / 2, groups.count() - 1.0));
    }

    @Override
    public Interval interval(double confidence) {
        return isBootstrapped() ? around(quantile(studentized(), confidence)) : student(confidence);
    }

    private Interval around(double errors) {
        double half = errors * groups.errorOfMean();
        return new Interval(mean, mean - half, mean + half);
    }

    private boolean isBootstrapped() {
        return groups.count() >= BOOTSTRAP_FROM && groups.errorOfMean() > 0;
    }

    /** The interval at 1 - p touches 0. */
    @Override
    public double pValue() {
        if (groups.errorOfMean() == 0) {
            return mean == 0 ? 1 : 0;
        }
        double t = Math.abs(mean) / groups.errorOfMean();
        if (!isBootstrapped()) {
            return Quantiles.twoSided(t, groups.count() - 1.0);
        }
        long beyond = Arrays.stream(studentized()).filter(x -> x >= t).count();
        return (beyond + 1.0) / (DRAWS + 1.0);
    }

    private double[] studentized() {
        if (studentized.length == 0) {
            SplittableRandom random = new SplittableRandom(size);
            studentized = java.util.stream.DoubleStream.generate(() -> groups.studentizedDraw(random))
                    .limit(DRAWS)
                    .sorted()
                    .toArray();
        }
        return studentized;
    }

    private static double quantile(double[] sorted, double p) {
        int index = (int) Math.round(p * (sorted.length + 1)) - 1;
        return sorted[Math.max(0, Math.min(sorted.length - 1, index))];
    }
}
