package io.pgstress.compare.statistics;

import org.apache.commons.math3.stat.regression.SimpleRegression;

/** A least-squares line through figures at 0, 1, 2, ... */
public final class Line {
    private Line() {}

    /**
     * The slope and its confidence interval.
     *
     * @param y at least 3 values
     */
    public static Interval slope(double[] y, double confidence) {
        SimpleRegression regression = new SimpleRegression();
        for (int i = 0; i < y.length; i++) {
            regression.addData(i, y[i]);
        }
        double slope = regression.getSlope();
        double half = regression.getSlopeConfidenceInterval(1 - confidence);
        return new Interval(slope, slope - half, slope + half);
    }
}
