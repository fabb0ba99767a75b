package io.pgstress.compare.statistics;

/**
 * When enough rounds have been run to know a ratio to within {@code halfWidth}. Only the width of the interval decides, never
 * where it lies, and only after {@link #isLook some} of the rounds; what little that narrows the intervals, because it
 * stops where the spread happens to look small, is made up for by {@link #CONFIDENCE} (simulated in
 * {@code StoppingRuleTest}: what is called 95% covers 95%).
 *
 * @param halfWidth of the logarithm of the ratio, about 0.02 for 2%; 0: never enough
 */
public record StoppingRule(double halfWidth) {
    /** Fewer pairs are not enough for an interval. */
    public static final int FIRST_LOOK = 8;

    /** The confidence of intervals after a stop, to be worth 0.95. */
    public static final double CONFIDENCE = 0.965;

    private static final double GROWTH = 1.25;

    /** Whether the width is checked after this number of rounds: 8, 10, 13, 17, 22 and so on. */
    public static boolean isLook(int rounds) {
        int look = FIRST_LOOK;
        while (look < rounds) {
            look = next(look);
        }
        return look == rounds;
    }

    /** The first check at or after this number of rounds. */
    public static int lookFrom(int rounds) {
        int look = FIRST_LOOK;
        while (look < rounds) {
            look = next(look);
        }
        return look;
    }

    private static int next(int look) {
        return (int) Math.ceil(look * GROWTH);
    }

    /**
     * Whether all that is known of one comparison is enough; to be asked after {@link #isLook some} of the rounds only. There may
     * be fewer pairs than rounds, where a block had no figure.
     *
     * @param confidence of its interval
     */
    public boolean isEnough(Difference pairs, double confidence) {
        return halfWidth > 0 && pairs.student(confidence).halfWidth() <= halfWidth;
    }
}
