package io.pgstress.plan.scenario;

import java.time.Duration;

/**
 * The length of a comparison.
 *
 * @param rounds number of runs of each variant, at least 1; with {@code until} an upper bound
 * @param until the comparison ends when half the width of each ratio's interval is at most this, such as 0.02 for 2%; 0: it
 *     ends after {@code rounds}
 * @param maxTime no round begins after this time
 * @param margin differences up to this are ignored; 0: not given
 * @param seed the seed of the order
 */
public record Effort(int rounds, double until, Duration maxTime, double margin, long seed) {
    /** Whether the width of the intervals determines the end. */
    public boolean isUntil() {
        return until > 0;
    }
}
