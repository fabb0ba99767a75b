package io.pgstress.compare.statistics;

/** An estimate with its confidence interval from {@code low} to {@code high}. */
public record Interval(double value, double low, double high) {
    /** The exponential of all three values, for logarithms of ratios. */
    public Interval exp() {
        return new Interval(Math.exp(value), Math.exp(low), Math.exp(high));
    }

    /** Whether {@code x} lies outside. */
    public boolean excludes(double x) {
        return low > x || high < x;
    }

    /** Whether it lies entirely between the two values. */
    public boolean isWithin(double least, double most) {
        return low >= least && high <= most;
    }

    /** Half the width. */
    public double halfWidth() {
        return (high - low) / 2;
    }
}
