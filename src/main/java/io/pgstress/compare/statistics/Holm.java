package io.pgstress.compare.statistics;

import java.util.Arrays;
import java.util.Comparator;

/** Several comparisons at once, so that all together claim a difference that is none no more often than one would. */
public final class Holm {
    private Holm() {}

    /**
     * The confidence that each one's interval has to have: S. Holm, A Simple Sequentially Rejective Multiple Test
     * Procedure, 1979. An interval at it excludes 0 exactly where the procedure rejects.
     *
     * @param pValues of all comparisons
     * @param confidence of all together, e.g. 0.95
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
