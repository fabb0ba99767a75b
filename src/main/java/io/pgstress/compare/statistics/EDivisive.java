package io.pgstress.compare.statistics;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Finds where the distribution of a series changes: E-divisive with means, after D. S. Matteson and N. A. James, A
 * Nonparametric Approach for Multiple Change Point Analysis of Multivariate Data, Journal of the American Statistical
 * Association 109, 2014, in the form that D. Daly and others used for results of performance tests (The Use of Change Point
 * Detection to Identify Software Performance Regressions in a Continuous Integration System, ICPE 2020). The series is
 * divided where the energy distance between the two parts is largest, and again within the parts, as long as random orders
 * of the values within the parts seldom give as large a distance. Assumes neither a distribution nor the absence of
 * outliers, but that values are independent of each other. Immutable; the random orders have a fixed seed.
 */
public final class EDivisive {
    /** Fewer values are not regarded as a level of their own. */
    public static final int MIN_PART = 3;

    private static final int ORDERS = 999;

    private final double significance;

    /** @param significance the share of series without a change in which one is found, between 0 and 1 */
    public EDivisive(double significance) {
        this.significance = significance;
    }

    /**
     * A change.
     *
     * @param at index of the first value after it
     * @param pValue share of random orders with as large a distance
     */
    public record ChangePoint(int at, double pValue) {}

    private record Split(int at, double distance) {}

    /** The changes, in the order of the series. */
    public List<ChangePoint> find(double... values) {
        List<ChangePoint> found = new ArrayList<>();
        List<Integer> bounds = new ArrayList<>(List.of(0, values.length));
        SplittableRandom random = new SplittableRandom(values.length);
        while (true) {
            Split best = best(values, bounds);
            if (best == null) {
                return found;
            }
            double p = pValue(values, bounds, best.distance(), random);
            if (p > significance) {
                return found;
            }
            found.add(new ChangePoint(best.at(), p));
            found.sort((a, b) -> Integer.compare(a.at(), b.at()));
            bounds.add(best.at());
            bounds.sort(null);
        }
    }

    private static double pValue(double[] values, List<Integer> bounds, double distance, SplittableRandom random) {
        double[] shuffled = values.clone();
        int asLarge = 1;
        for (int i = 0; i < ORDERS; i++) {
            for (int part = 1; part < bounds.size(); part++) {
                shuffle(shuffled, bounds.get(part - 1), bounds.get(part), random);
            }
            Split split = best(shuffled, bounds);
            if (split != null && split.distance() >= distance) {
                asLarge++;
            }
        }
        return asLarge / (ORDERS + 1.0);
    }

    private static void shuffle(double[] values, int from, int to, SplittableRandom random) {
        for (int i = to - 1; i > from; i--) {
            int other = random.nextInt(from, i + 1);
            double value = values[i];
            values[i] = values[other];
            values[other] = value;
        }
    }

    private static @Nullable Split best(double[] values, List<Integer> bounds) {
        Split best = null;
        for (int part = 1; part < bounds.size(); part++) {
            int from = bounds.get(part - 1);
            Split split = best(Arrays.copyOfRange(values, from, bounds.get(part)));
            if (split != null && (best == null || split.distance() > best.distance())) {
                best = new Split(from + split.at(), split.distance());
            }
        }
        return best;
    }

    /** Divides one part. The sums of the differences follow from those of the division before. */
    private static @Nullable Split best(double[] values) {
        int n = values.length;
        double between = 0; // sum of |x - y| for x on the left and y on the right
        double left = 0;
        double right = pairs(values);
        Split best = null;
        for (int at = 1; at <= n - MIN_PART; at++) {
            double moved = values[at - 1];
            double toLeft = 0;
            for (int i = 0; i < at - 1; i++) {
                toLeft += Math.abs(moved - values[i]);
            }
            double toRight = 0;
            for (int i = at; i < n; i++) {
                toRight += Math.abs(moved - values[i]);
            }
            between += toRight - toLeft;
            left += toLeft;
            right -= toRight;
            if (at >= MIN_PART) {
                double distance = distance(between, left, right, at, n - at);
                if (best == null || distance > best.distance()) {
                    best = new Split(at, distance);
                }
            }
        }
        return best;
    }

    private static double pairs(double[] values) {
        double sum = 0;
        for (int i = 0; i < values.length; i++) {
            for (int j = 0; j < i; j++) {
                sum += Math.abs(values[i] - values[j]);
            }
        }
        return sum;
    }

    /** The scaled energy distance: equation 5 of the paper, with exponent 1. */
    private static double distance(double between, double left, double right, double n, double m) {
        double energy = 2 * between / (n * m) - 2 * left / (n * (n - 1)) - 2 * right / (m * (m - 1));
        return n * m / (n + m) * energy;
    }
}
