package io.pgstress.plan;

import java.time.Duration;

/**
 * What happens to operations that fail.
 *
 * @param maxTries how often an operation is tried in all on 40001 and 40P01, at least 1
 * @param stopOnError whether the first error ends the run
 * @param maxErrorRate the share of failed operations, 0 to 1, above which the run breaks its limit; 1: none
 * @param statementTimeout the server's {@code statement_timeout}; zero: the server's own
 * @param latencyLimit an operation that took longer is counted as late; zero: none
 */
public record FailurePolicy(
        int maxTries, boolean stopOnError, double maxErrorRate, Duration statementTimeout, Duration latencyLimit) {}
