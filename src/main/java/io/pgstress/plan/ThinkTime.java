package io.pgstress.plan;

import io.pgstress.plan.option.Durations;
import java.time.Duration;

/**
 * How long a client of a closed loop waits between two operations, as a user who reads the answer does.
 *
 * @param mean the mean length; zero: clients do not wait
 * @param isExponential whether lengths are exponentially distributed; otherwise all are equal
 */
public record ThinkTime(Duration mean, boolean isExponential) {
    private static final String EXPONENTIAL = "exponential:";

    /**
     * Reads {@code 200ms} or {@code exponential:200ms}.
     *
     * @throws IllegalArgumentException if it has another form
     */
    public static ThinkTime parse(String text) {
        boolean isExponential = text.startsWith(EXPONENTIAL);
        return new ThinkTime(
                Durations.parse(isExponential ? text.substring(EXPONENTIAL.length()) : text), isExponential);
    }

    /** The mean length in nanoseconds. */
    public long nanos() {
        return mean.toNanos();
    }
}
