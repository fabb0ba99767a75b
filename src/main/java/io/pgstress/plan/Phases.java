package io.pgstress.plan;

import java.time.Duration;

/**
 * The parts of a run.
 *
 * @param warmup excluded from every figure; with {@code autoWarmup} its upper bound
 * @param autoWarmup whether warm-up ends as soon as throughput is level
 * @param warmupExecutions how many operations of each kind each client has done before the warm-up ends; 0: time alone counts
 * @param warmupLimit the most that a warm-up may take for their sake
 * @param measure what is counted
 * @param drain how long operations in flight at the end of the measurement may take to finish
 * @param interval the length of an interval of the report
 */
public record Phases(
        Duration warmup,
        boolean autoWarmup,
        int warmupExecutions,
        Duration warmupLimit,
        Duration measure,
        Duration drain,
        Duration interval) {}
