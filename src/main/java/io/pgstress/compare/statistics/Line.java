package io.pgstress.compare.statistics;

import org.apache.commons.math3.stat.regression.SimpleRegression;

/** A straight line through figures at 0, 1, 2, ... by least squares. */
public final class Line {
    private Line() {}

    /**
     * The slope with its interval.
     *
     * @param y at least 3
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
