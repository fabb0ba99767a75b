package io.pgstress.compare.statistics;

import java.util.Arrays;
import java.util.Comparator;

/** Adjusts simultaneous comparisons, so that together they err no more often than a single one. */
public final class Holm {
    private Holm() {}

    /**
     * The confidence required of each interval: S. Holm, A Simple Sequentially Rejective Multiple Test
     * Procedure, 1979. An interval at this confidence excludes 0 exactly if the procedure rejects.
     *
     * @param pValues the p-values of all comparisons
     * @param confidence of the whole family, e.g. 0.95
     */
    public static double[] confidences(double[] pValues, double confidence) {
        Integer[] order = new Integer[pValues.length];
        Arrays.setAll(order, i -> i);
        Arrays.sort(order, Comparator.comparingDouble(i -> pValues[i]));
        double alpha = 1 - confidence;
        double[] confidences = new double[pValues.length];
        int left = pValues.length;
        for (int i : order) {
            confidences[i] = 1 - alpha / left;
            if (pValues[i] <= alpha / left && left > 1) {
                left--;
            }
        }
        return confidences;
    }
}
