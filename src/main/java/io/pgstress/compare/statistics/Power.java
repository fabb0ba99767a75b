package io.pgstress.compare.statistics;

/**
 * Power calculations for paired comparisons. Differences and deviations are logarithms of ratios, so 0.03 is about 3%. A
 * deviation estimated from few pairs is replaced by its upper bound ({@value #ASSURANCE}); otherwise every second forecast
 * would be too short.
 */
public final class Power {
    /** The probability of detecting an existing difference. */
    public static final double POWER = 0.8;

    /** Probability that a spread is not larger than assumed. */
    private static final double ASSURANCE = 0.8;

    private static final int MAX = 10_000_000;

    private Power() {}

    /** Upper confidence bound of a pair's standard deviation, at {@value #ASSURANCE}. */
    public static double upperDeviation(Sample sample) {
        return sample.deviation() * upperBound(sample.size() - 1.0);
    }

    /** What a standard deviation with these degrees of freedom is multiplied by for its upper bound, at {@value #ASSURANCE}. */
    static double upperBound(double degrees) {
        return Math.sqrt(degrees / Quantiles.chiSquared(1 - ASSURANCE, degrees));
    }

    /** The number of pairs needed to detect a difference with a power of {@value #POWER}. */
    public static int pairsToFind(double difference, double deviation, double confidence) {
        return search(n -> needed(n, confidence, POWER) * deviation / Math.sqrt(n) <= difference);
    }

    /** The number of pairs needed for an interval with this half-width. */
    public static int pairsToNarrow(double halfWidth, double deviation, double confidence) {
        return search(n -> needed(n, confidence, 0.5) * deviation / Math.sqrt(n) <= halfWidth);
    }

    /** The difference that this number of pairs detects with probability {@value #POWER}. */
    public static double detectable(int pairs, double deviation, double confidence) {
        return needed(pairs, confidence, POWER) * deviation / Math.sqrt(pairs);
    }

    private static double needed(int pairs, double confidence, double power) {
        double degrees = pairs - 1.0;
        return Quantiles.t((1 + confidence) / 2, degrees) + (power == 0.5 ? 0 : Quantiles.t(power, degrees));
    }

    private interface Enough {
        boolean at(int pairs);
    }

    /** The smallest sufficient number of pairs; {@value #MAX} if there is none. */
    private static int search(Enough enough) {
        int high = 2;
        while (high < MAX && !enough.at(high)) {
            high *= 2;
        }
        int low = Math.max(2, high / 2);
        while (low < high) {
            int middle = (low + high) / 2;
            if (enough.at(middle)) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return Math.min(high, MAX);
    }
}
