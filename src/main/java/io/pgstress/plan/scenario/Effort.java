package io.pgstress.plan.scenario;

import java.time.Duration;

/**
 * How long variants are compared.
 *
 * @param rounds how often each variant runs, at least 1; with {@code until} no bound
 * @param until half the width of the interval of each variant's ratio at which enough is known, 0.02 for 2%; 0: the
 *     number of rounds decides
 * @param maxTime no round begins after it
 * @param margin differences up to it do not matter; 0: none was named
 * @param seed of the order
 */
public record Effort(int rounds, double until, Duration maxTime, double margin, long seed) {
    /** Whether the width of the intervals decides when enough is known. */
    public boolean isUntil() {
        return until > 0;
    }
}
