package io.pgstress.plan;

import java.time.Duration;

/**
 * How a run handles failed and slow operations.
 *
 * @param maxTries maximum number of tries of an operation that fails with 40001 or 40P01, at least 1
 * @param stopOnError whether the run ends at the first error
 * @param maxErrorRate share of failed operations, 0 to 1, above which the run exceeds its limit; 1: no limit
 * @param statementTimeout {@code statement_timeout} of the sessions; zero: the server's setting
 * @param latencyLimit operations that take longer are counted as late; zero: no limit
 */
public record FailurePolicy(
        int maxTries, boolean stopOnError, double maxErrorRate, Duration statementTimeout, Duration latencyLimit) {}
