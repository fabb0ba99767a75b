package io.pgstress.compare.statistics;

import java.util.List;
import java.util.function.DoublePredicate;

/**
 * The share of operations beyond a limit as a function of the rate, from trials of several rates. Its logit is a straight line, which
 * holds near the limit: the tail of a queue's waiting times is exponential, with an exponent that is linear in the rate. The line is
 * fitted by maximum likelihood. Neighbouring operations depend on each other, so log-likelihoods are those of independent operations
 * divided by a dispersion (McCullagh, Nelder: Generalized Linear Models, 1989, 9.2). The parameters are the slope and the rate at
 * which the share is the allowed one; the interval of that rate comes from its profile likelihood, because there are few clusters of
 * slow operations and the estimate is far from normal. Immutable.
 */
public final class ShareCurve {
    /**
     * A trial: {@code beyond} of {@code operations} were beyond the limit.
     *
     * @param dispersion the variance of its batches relative to that of independent operations
     */
    public record Point(double rate, double operations, double beyond, double dispersion) {}

    /** A steeper line is a step; the slope is that of the logit by the relative rate. */
    private static final double STEEPEST = 500;

    /** The limit is looked for between the trials and a little beyond them. */
    private static final double BEYOND_TRIALS = 1.1;

    /** Factor of the interval's t, because the dispersion is known from few clusters: otherwise 94% of simulated 95% intervals were right. */
    private static final double CAUTION = 1.2;

    private static final int HALVINGS = 60;

    private final List<Point> points;
    private final double logit;
    private final double least;
    private final double most;
    private final double rate;
    private final double slope;
    private final double dispersion;

    /**
     * @param points at least one
     * @param share the allowed share, above 0 and below 1
     */
    public ShareCurve(List<Point> points, double share) {
        this.points = List.copyOf(points);
        this.logit = logit(share);
        this.least = points.stream().mapToDouble(Point::rate).min().orElseThrow() / BEYOND_TRIALS;
        this.most = points.stream().mapToDouble(Point::rate).max().orElseThrow() * BEYOND_TRIALS;
        this.rate = highest();
        this.slope = slope(rate);
        double operations = points.stream().mapToDouble(Point::operations).sum();
        double within =
                points.stream().mapToDouble(p -> p.operations * p.dispersion).sum() / operations;
        this.dispersion = Math.max(1, Math.max(within, between()));
    }

    private static double logit(double share) {
        return Math.log(share / (1 - share));
    }

    /** By golden sections: the profile of a concave function over a ratio of its parameters has one maximum. */
    private double highest() {
        double golden = (Math.sqrt(5) - 1) / 2;
        double low = least;
        double high = most;
        for (int i = 0; i < HALVINGS; i++) {
            double a = high - golden * (high - low);
            double b = low + golden * (high - low);
            if (likelihood(a) >= likelihood(b)) {
                high = b;
            } else {
                low = a;
            }
        }
        return (low + high) / 2;
    }

    /** The logarithm of the likelihood if the limit is at this rate, with the best slope. */
    private double likelihood(double at) {
        double best = slope(at);
        return points.stream()
                .mapToDouble(p -> {
                    double x = logit + best * (p.rate / at - 1);
                    return p.beyond * x - p.operations * Math.log1p(Math.exp(Math.min(700, x)));
                })
                .sum();
    }

    /** The most likely slope if the limit is at this rate: the likelihood is concave in it. */
    private double slope(double at) {
        return border(
                0,
                STEEPEST,
                tried -> points.stream()
                                .mapToDouble(
                                        p -> (p.beyond - p.operations * share(at, tried, p.rate)) * (p.rate / at - 1))
                                .sum()
                        > 0);
    }

    /** Where a condition that holds at one end ceases to hold towards the other. */
    private static double border(double holds, double fails, DoublePredicate condition) {
        double inside = holds;
        double outside = fails;
        for (int i = 0; i < HALVINGS; i++) {
            double middle = (inside + outside) / 2;
            if (condition.test(middle)) {
                inside = middle;
            } else {
                outside = middle;
            }
        }
        return inside;
    }

    private double share(double at, double itsSlope, double itsRate) {
        return 1 / (1 + Math.exp(-logit - itsSlope * (itsRate / at - 1)));
    }

    /** Pearson's statistic by its degrees of freedom; 0 if there are none. */
    private double between() {
        double sum = points.stream()
                .mapToDouble(p -> {
                    double share = share(rate, slope, p.rate);
                    return Math.pow(p.beyond - p.operations * share, 2)
                            / Math.max(0.5, p.operations * share * (1 - share));
                })
                .sum();
        return points.size() < 3 ? 0 : sum / (points.size() - 2);
    }

    /** The share beyond the limit that is expected at a rate. */
    public double shareAt(double itsRate) {
        return share(rate, slope, itsRate);
    }

    /** The standard error of the rate from a single trial with this many operations, relative to the rate. */
    public double errorOfOne(double operations) {
        double share = share(rate, slope, rate);
        return Math.sqrt(dispersion / (operations * share * (1 - share))) / Math.max(1, slope);
    }

    /** The rate at which the share is the allowed one, with its confidence interval. */
    public Interval rate(double confidence) {
        double t = CAUTION * (points.size() < 3 ? 10 : Quantiles.t((1 + confidence) / 2, points.size() - 2.0));
        double lowest = likelihood(rate) - t * t * dispersion / 2;
        return new Interval(rate, edge(least, lowest), edge(most, lowest));
    }

    /** Where the likelihood falls to this value between the estimate and an end. */
    private double edge(double end, double lowest) {
        return likelihood(end) >= lowest ? end : border(rate, end, tried -> likelihood(tried) >= lowest);
    }
}
