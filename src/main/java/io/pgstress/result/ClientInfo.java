package io.pgstress.result;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The process and the machine that generated the load.
 *
 * @param threadKind {@code platform}, {@code virtual} or {@code loop}
 * @param pool the pool's settings that were in force
 * @param cpuCoresUsed cores' worth of CPU time that this process used during the measurement
 * @param cpuMicrosPerOperation CPU time of this process per operation
 * @param gcPauseSeconds time during the measurement in which the garbage collector had stopped all threads
 * @param ownTurnShare share of the operations (0 to 1) whose client had its answer and waited for its own turn to run; null if
 *     unknown
 */
public record ClientInfo(
        String jvm,
        String os,
        int cpus,
        String threadKind,
        Map<String, String> pool,
        double cpuCoresUsed,
        double cpuMicrosPerOperation,
        double gcPauseSeconds,
        @Nullable Double loadAverage,
        @Nullable Long residentBytes,
        @Nullable Double ownTurnShare) {}
