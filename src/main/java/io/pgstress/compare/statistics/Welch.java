package io.pgstress.compare.statistics;

/** The difference of two means of unpaired figures: B. L. Welch, Biometrika 34, 1947. Immutable. */
public final class Welch implements Difference {
    private final Sample a;
    private final Sample b;
    private final double error;
    private final double degrees;

    /**
     * The mean of {@code a} minus the mean of {@code b}.
     *
     * @param a the new figures
     * @param b the earlier ones
     */
    public Welch(Sample a, Sample b) {
        this.a = a;
        this.b = b;
        double ofA = a.deviation() * a.deviation() / a.size();
        double ofB = b.deviation() * b.deviation() / b.size();
        double all = ofA + ofB;
        this.error = Math.sqrt(all);
        this.degrees = all == 0 ? 1 : all * all / (ofA * ofA / (a.size() - 1) + ofB * ofB / (b.size() - 1));
    }

    private double difference() {
        return a.mean() - b.mean();
    }

    /** The number of new figures: a verdict depends on the rounds that were measured for it. */
    @Override
    public int size() {
        return a.size();
    }

    @Override
    public double pValue() {
        if (error == 0) {
            return difference() == 0 ? 1 : 0;
        }
        return Quantiles.twoSided(difference() / error, degrees);
    }

    @Override
    public Interval student(double confidence) {
        return interval(confidence);
    }

    @Override
    public Interval interval(double confidence) {
        double half = error == 0 ? 0 : Quantiles.t((1 + confidence) / 2, degrees) * error;
        return new Interval(difference(), difference() - half, difference() + half);
    }
}
