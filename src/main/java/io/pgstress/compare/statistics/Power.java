package io.pgstress.compare.statistics;

/**
 * How many pairs it takes. Differences and spreads are of logarithms of ratios, so 0.03 is about 3%. The spread of a pair
 * that was estimated from few of them is taken at its upper bound ({@value #ASSURANCE}), else every second forecast would
 * be too short.
 */
public final class Power {
    /** The share of tries in which a difference is to be found. */
    public static final double POWER = 0.8;

    /** Probability that a spread is not larger than assumed. */
    private static final double ASSURANCE = 0.8;

    private static final int MAX = 10_000_000;

    private Power() {}

    /** The spread of a pair that is not exceeded with probability {@value #ASSURANCE}. */
    public static double upperDeviation(Sample sample) {
        int degrees = sample.size() - 1;
        return sample.deviation() * Math.sqrt(degrees / Quantiles.chiSquared(1 - ASSURANCE, degrees));
    }

    /** The pairs needed to find a difference in {@value #POWER} of all tries. */
    public static int pairsToFind(double difference, double deviation, double confidence) {
        return search(n -> needed(n, confidence, POWER) * deviation / Math.sqrt(n) <= difference);
    }

    /** The pairs needed until half the interval is that narrow. */
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

    /** The fewest pairs that are enough, {@value #MAX} where none are. */
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
