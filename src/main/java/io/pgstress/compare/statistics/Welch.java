package io.pgstress.compare.statistics;

/** The difference of two means whose figures are no pairs: B. L. Welch, Biometrika 34, 1947. */
public final class Welch {
    private Welch() {}

    /** The mean of {@code a} less that of {@code b}, with its interval. */
    public static Interval difference(Sample a, Sample b, double confidence) {
        double ofA = a.deviation() * a.deviation() / a.size();
        double ofB = b.deviation() * b.deviation() / b.size();
        double difference = a.mean() - b.mean();
        double all = ofA + ofB;
        if (all == 0) {
            return new Interval(difference, difference, difference);
        }
        double degrees = all * all / (ofA * ofA / (a.size() - 1) + ofB * ofB / (b.size() - 1));
        double half = Quantiles.t((1 + confidence) / 2, degrees) * Math.sqrt(all);
        return new Interval(difference, difference - half, difference + half);
    }

    /** How probable so large a difference would be if there were none. */
    public static double pValue(Sample a, Sample b) {
        double ofA = a.deviation() * a.deviation() / a.size();
        double ofB = b.deviation() * b.deviation() / b.size();
        double all = ofA + ofB;
        double difference = a.mean() - b.mean();
        if (all == 0) {
            return difference == 0 ? 1 : 0;
        }
        double degrees = all * all / (ofA * ofA / (a.size() - 1) + ofB * ofB / (b.size() - 1));
        return Quantiles.twoSided(difference / Math.sqrt(all), degrees);
    }
}
