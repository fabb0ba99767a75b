package io.pgstress.compare.statistics;

import java.util.Arrays;

/**
 * Figures that are independent of each other, such as the logarithms of the ratios of paired blocks. Up to
 * {@value #BOOTSTRAP_FROM} figures intervals are Student's; from there on they are the bootstrap-t's (Efron and Tibshirani,
 * An Introduction to the Bootstrap, 1993, chapter 12.5), which does not take the figures for normal. Immutable; the
 * bootstrap draws from a fixed seed.
 */
public final class Sample implements Difference {
    /** From so many figures on the bootstrap is used: below it covers less than it says. */
    public static final int BOOTSTRAP_FROM = 20;

    private static final int DRAWS = 1999;

    private final double[] values;
    private final double mean;
    private final double deviation;
    private double[] studentized = {};

    /** @param values at least 2 */
    public Sample(double... values) {
        if (values.length < 2) {
            throw new IllegalArgumentException("at least 2 figures are needed, there are " + values.length);
        }
        this.values = values.clone();
        this.mean = mean(values);
        this.deviation = deviation(values, mean);
    }

    private static double mean(double[] values) {
        return Arrays.stream(values).sum() / values.length;
    }

    private static double deviation(double[] values, double mean) {
        double squares = Arrays.stream(values).map(v -> (v - mean) * (v - mean)).sum();
        return Math.sqrt(squares / (values.length - 1));
    }

    @Override
    public int size() {
        return values.length;
    }

    public double mean() {
        return mean;
    }

    /** The standard deviation of one figure. */
    public double deviation() {
        return deviation;
    }

    private double error() {
        return deviation / Math.sqrt(values.length);
    }

    /** Student's interval of the mean that holds it with this confidence, e.g. 0.95. */
    public Interval student(double confidence) {
        double half = Quantiles.t((1 + confidence) / 2, values.length - 1.0) * error();
        return new Interval(mean, mean - half, mean + half);
    }

    @Override
    public Interval interval(double confidence) {
        if (values.length < BOOTSTRAP_FROM || deviation == 0) {
            return student(confidence);
        }
        double[] t = studentized();
        double tail = (1 - confidence) / 2;
        return new Interval(mean, mean - quantile(t, 1 - tail) * error(), mean - quantile(t, tail) * error());
    }

    /** The interval at 1 - p touches 0. */
    @Override
    public double pValue() {
        if (deviation == 0) {
            return mean == 0 ? 1 : 0;
        }
        double t = mean / error();
        if (values.length < BOOTSTRAP_FROM) {
            return Quantiles.twoSided(t, values.length - 1.0);
        }
        double[] all = studentized();
        long below = Arrays.stream(all).filter(x -> x <= t).count();
        long least = Math.min(below, all.length - below);
        return Math.min(1, 2.0 * (least + 1) / (all.length + 1));
    }

    private double[] studentized() {
        if (studentized.length == 0) {
            studentized = draw();
        }
        return studentized;
    }

    private double[] draw() {
        java.util.SplittableRandom random = new java.util.SplittableRandom(values.length);
        double[] t = new double[DRAWS];
        double[] drawn = new double[values.length];
        for (int i = 0; i < DRAWS; i++) {
            for (int j = 0; j < drawn.length; j++) {
                drawn[j] = values[random.nextInt(values.length)];
            }
            double center = mean(drawn);
            double spread = deviation(drawn, center);
            t[i] = spread == 0 ? 0 : (center - mean) / (spread / Math.sqrt(drawn.length));
        }
        Arrays.sort(t);
        return t;
    }

    private static double quantile(double[] sorted, double p) {
        int index = (int) Math.round(p * (sorted.length + 1)) - 1;
        return sorted[Math.max(0, Math.min(sorted.length - 1, index))];
    }
}
