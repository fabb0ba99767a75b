package io.pgstress.plan;

import java.time.Duration;

/**
 * The phases of a run.
 *
 * @param warmup length of the warm-up, which is excluded from results; with {@code autoWarmup} an upper bound
 * @param autoWarmup whether the warm-up ends as soon as throughput is steady and the JVM's compiler is nearly idle
 * @param warmupExecutions number of executions of each operation by each client before the warm-up ends; 0: only time counts
 * @param warmupLimit maximum length of a warm-up that waits for these executions
 * @param measure length of the measurement
 * @param drain maximum wait for operations in flight at the end of the measurement
 * @param interval length of the report's intervals
 */
public record Phases(
        Duration warmup,
        boolean autoWarmup,
        int warmupExecutions,
        Duration warmupLimit,
        Duration measure,
        Duration drain,
        Duration interval) {
    /** The longest possible warm-up. */
    public Duration maxWarmup() {
        boolean isOpen = autoWarmup || warmupExecutions > 0;
        return isOpen && warmupLimit.compareTo(warmup) > 0 ? warmupLimit : warmup;
    }
}
