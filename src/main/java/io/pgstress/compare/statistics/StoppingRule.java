package io.pgstress.compare.statistics;

/**
 * Decides when a ratio is known to within {@code halfWidth}. Only the width of the interval counts, never its position, and
 * only after {@link #isLook some} rounds. Stopping when the spread happens to look small narrows the intervals slightly;
 * {@link #CONFIDENCE} compensates for that (simulated in
 * {@code StoppingRuleTest}: a nominal 95% covers 95%).
 *
 * @param halfWidth of the logarithm of the ratio, about 0.02 for 2%; 0: never stop
 */
public record StoppingRule(double halfWidth) {
    /** The minimum number of pairs for an interval. */
    public static final int FIRST_LOOK = 8;

    /** The confidence of intervals after a stop, for an effective 0.95. */
    public static final double CONFIDENCE = 0.965;

    private static final double GROWTH = 1.25;

    /** Whether the width is checked after this number of rounds: 8, 10, 13, 17, 22 and so on. */
    public static boolean isLook(int rounds) {
        return isLook(rounds, FIRST_LOOK, GROWTH);
    }

    /**
     * Whether this number of rounds is one of a series.
     *
     * @param growth ratio of each number to the one before; rounded up
     */
    public static boolean isLook(int rounds, int first, double growth) {
        int look = first;
        while (look < rounds) {
            look = (int) Math.ceil(look * growth);
        }
        return look == rounds;
    }

    /**
     * Whether a comparison is precise enough; to be called after {@link #isLook some} rounds only. There may be fewer pairs
     * than rounds if a block had no figure.
     *
     * @param confidence the confidence of its interval
     */
    public boolean isEnough(Difference pairs, double confidence) {
        return halfWidth > 0 && pairs.student(confidence).halfWidth() <= halfWidth;
    }
}
