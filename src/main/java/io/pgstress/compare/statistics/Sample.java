package io.pgstress.compare.statistics;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A sample of figures, such as log ratios of paired blocks. They come in groups (squares of rounds, see
 * {@code BlockOrder}), which are independent of each other, while figures within a group need not be. From
 * {@value #MIN_GROUPS} groups on, the standard error of the mean is that of the groups, otherwise that of the figures.
 * Intervals are Student's; from {@value #BOOTSTRAP_FROM} groups on, they are symmetric bootstrap-t intervals (P. Hall, On Symmetric
 * Bootstrap Confidence Intervals, Journal of the Royal Statistical Society B 50, 1988), which do not assume normality:
 * quantiles of the absolute studentized means of resampled groups replace those of t. The equal-tailed variant is
 * sensitive to a single outlier and covers only 93% of recorded blocks at a nominal 95%. Immutable; the bootstrap uses a
 * fixed seed.
 */
public final class Sample implements Difference {
    /** With fewer groups, the interval of their means would be too wide to be useful. */
    public static final int MIN_GROUPS = 10;

    /** The bootstrap needs at least this many groups: with fewer, it covers less than it claims. */
    public static final int BOOTSTRAP_FROM = 20;

    private static final int DRAWS = 1999;

    private final int size;
    private final double mean;
    private final double deviation;
    private final Groups groups;
    private double[] studentized = {};

    /** Independent figures, at least 2. */
    public Sample(double... values) {
        this(values, Groups.ofOne(values));
    }

    /** Independent figures, at least 2. */
    public static Sample of(List<Double> values) {
        return new Sample(values.stream().mapToDouble(Double::doubleValue).toArray());
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
     * Grouped figures.
     *
     * @param values at least 2
     * @param group the group of each value, in order
     */
    public static Sample inGroups(double[] values, int[] group) {
        Groups groups = Groups.of(values, group);
        return new Sample(values, groups.count() >= MIN_GROUPS ? groups : Groups.ofOne(values));
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

    /** Student's confidence interval of the mean, at a confidence such as 0.95. */
    @Override
    public Interval student(double confidence) {
        return estimate().interval(confidence);
    }

    @Override
    public Interval interval(double confidence) {
        if (!isBootstrapped()) {
            return student(confidence);
        }
        double half = quantile(studentized(), confidence) * groups.errorOfMean();
        return new Interval(mean, mean - half, mean + half);
    }

    private Student estimate() {
        return new Student(mean, groups.errorOfMean(), groups.count() - 1.0);
    }

    private boolean isBootstrapped() {
        return groups.count() >= BOOTSTRAP_FROM && groups.errorOfMean() > 0;
    }

    /** The smallest p at which the interval with confidence 1 - p still touches 0. */
    @Override
    public double pValue() {
        if (!isBootstrapped()) {
            return estimate().pValue();
        }
        double t = Math.abs(mean) / groups.errorOfMean();
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
