package io.pgstress.compare.statistics;

/** A figure and what it may really be: from {@code low} to {@code high}. */
public record Interval(double value, double low, double high) {
    /** The interval of the exponentials, for logarithms of ratios. */
    public Interval exp() {
        return new Interval(Math.exp(value), Math.exp(low), Math.exp(high));
    }

    /** Whether {@code x} lies outside of it. */
    public boolean excludes(double x) {
        return low > x || high < x;
    }

    /** Whether all of it lies between the two. */
    public boolean isWithin(double least, double most) {
        return low >= least && high <= most;
    }

    /** Half of its width. */
    public double halfWidth() {
        return (high - low) / 2;
    }
}
