package io.pgstress.compare.statistics;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Figures in independent groups, and the standard error of their mean, which allows any dependence within a group (the
 * variance of a ratio of the groups' sums to their sizes; W. G. Cochran, Sampling Techniques,
 * 1977, 6.3). Immutable.
 */
final class Groups {
    private final double[] sums;
    private final int[] sizes;
    private final double errorOfMean;

    /** @param sums the sum of each group's deviations from the overall mean */
    private Groups(double[] sums, int[] sizes) {
        this.sums = sums;
        this.sizes = sizes;
        double squares = Arrays.stream(sums).map(s -> s * s).sum();
        this.errorOfMean = error(sums.length, squares, Arrays.stream(sizes).sum());
    }

    private static double error(int groups, double squares, int figures) {
        return Math.sqrt(squares * groups / (groups - 1.0)) / figures;
    }

    /** Each figure is a group of its own. */
    static Groups ofOne(double[] values) {
        int[] group = new int[values.length];
        Arrays.setAll(group, i -> i);
        return of(values, group);
    }

    /** @param group the group of each value, in order */
    static Groups of(double[] values, int[] group) {
        double mean = Arrays.stream(values).sum() / values.length;
        double[] sums = new double[values.length];
        int[] sizes = new int[values.length];
        int last = -1;
        for (int i = 0; i < values.length; i++) {
            if (i == 0 || group[i] != group[i - 1]) {
                last++;
            }
            sums[last] += values[i] - mean;
            sizes[last]++;
        }
        return new Groups(Arrays.copyOf(sums, last + 1), Arrays.copyOf(sizes, last + 1));
    }

    int count() {
        return sums.length;
    }

    double errorOfMean() {
        return errorOfMean;
    }

    /** The studentized deviation of the mean of a bootstrap sample of groups from the overall mean. */
    double studentizedDraw(SplittableRandom random) {
        double sum = 0;
        double squares = 0;
        double products = 0;
        long sizesSquared = 0;
        int figures = 0;
        for (int i = 0; i < sums.length; i++) {
            int drawn = random.nextInt(sums.length);
            sum += sums[drawn];
            squares += sums[drawn] * sums[drawn];
            products += sums[drawn] * sizes[drawn];
            sizesSquared += (long) sizes[drawn] * sizes[drawn];
            figures += sizes[drawn];
        }
        double mean = sum / figures;
        double around = Math.max(0, squares - 2 * mean * products + mean * mean * sizesSquared);
        double error = error(sums.length, around, figures);
        return error == 0 ? 0 : Math.abs(mean) / error;
    }
}
