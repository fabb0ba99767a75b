package io.pgstress.compare.statistics;

/** A straight line through figures at 0, 1, 2, ... by least squares. */
public final class Line {
    private Line() {}

    /**
     * The slope with its interval.
     *
     * @param y at least 3
     */
    public static Interval slope(double[] y, double confidence) {
        int n = y.length;
        double middle = (n - 1) / 2.0;
        double mean = 0;
        for (double v : y) {
            mean += v / n;
        }
        double xx = 0;
        double xy = 0;
        for (int i = 0; i < n; i++) {
            xx += (i - middle) * (i - middle);
            xy += (i - middle) * (y[i] - mean);
        }
        double slope = xy / xx;
        double squares = 0;
        for (int i = 0; i < n; i++) {
            double off = y[i] - mean - slope * (i - middle);
            squares += off * off;
        }
        double half = Quantiles.t((1 + confidence) / 2, n - 2.0) * Math.sqrt(squares / (n - 2) / xx);
        return new Interval(slope, slope - half, slope + half);
    }
}
