package io.pgstress.testing.truth;

import java.util.List;

/**
 * The figures of a load tester beside those of the server.
 *
 * @param micros the times at {@link #PERCENTS}, in microseconds
 * @param valid whether the tool calls its figures valid: yes or no; empty if it does not judge them
 */
record Report(Truth served, List<Double> micros, double perSecond, String valid) {
    /** The percentiles that are compared; 100 is the longest time. */
    static final List<Double> PERCENTS = List.of(50.0, 90.0, 99.0, 99.9, 100.0);
}
