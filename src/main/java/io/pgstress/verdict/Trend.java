package io.pgstress.verdict;

/** How throughput changed from the first third of a measurement to the last. */
final class Trend {
    /** Fewer intervals than this in each third show no trend. */
    private static final int MIN_INTERVALS = 3;

    private Trend() {}

    /**
     * The mean of the last third over that of the first, less one; 0 where there are too few intervals, or where the
     * thirds overlap: where not nearly all intervals of one are above those of the other, it may be noise.
     */
    static double of(double... rates) {
        int third = rates.length / 3;
        if (third < MIN_INTERVALS) {
            return 0;
        }
        double first = 0;
        double last = 0;
        int rises = 0;
        for (int i = 0; i < third; i++) {
            first += rates[i];
            last += rates[rates.length - third + i];
            for (int j = 0; j < third; j++) {
                rises += Double.compare(rates[rates.length - third + i], rates[j]);
            }
        }
        boolean apart = Math.abs(rises) >= 0.9 * third * third;
        return apart && first > 0 ? last / first - 1 : 0;
    }
}
