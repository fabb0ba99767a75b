package io.pgstress.compare.statistics;

/** The difference of two means of unpaired figures: B. L. Welch, Biometrika 34, 1947. Immutable. */
public final class Welch implements Difference {
    private final int size;
    private final Student difference;

    /**
     * The mean of {@code a} minus the mean of {@code b}.
     *
     * @param a the new figures
     * @param b the earlier ones
     */
    public Welch(Sample a, Sample b) {
        this.size = a.size();
        double ofA = a.deviation() * a.deviation() / a.size();
        double ofB = b.deviation() * b.deviation() / b.size();
        double all = ofA + ofB;
        double degrees = all == 0 ? 1 : all * all / (ofA * ofA / (a.size() - 1) + ofB * ofB / (b.size() - 1));
        this.difference = new Student(a.mean() - b.mean(), Math.sqrt(all), degrees);
    }

    /** The number of new figures: a verdict depends on the rounds that were measured for it. */
    @Override
    public int size() {
        return size;
    }

    @Override
    public double pValue() {
        return difference.pValue();
    }

    @Override
    public Interval student(double confidence) {
        return difference.interval(confidence);
    }

    @Override
    public Interval interval(double confidence) {
        return difference.interval(confidence);
    }
}
