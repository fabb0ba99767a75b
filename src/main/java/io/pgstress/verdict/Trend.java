package io.pgstress.verdict;

/** The change of throughput from the first to the last third of a measurement. */
final class Trend {
    /** With fewer intervals per third, there is no trend. */
    private static final int MIN_INTERVALS = 3;

    private Trend() {}

    /**
     * The mean of the last third divided by that of the first, minus one; 0 if there are too few intervals or the thirds
     * overlap: unless almost all intervals of one are above those of the other, it may be noise.
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
