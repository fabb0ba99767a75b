package io.pgstress.result;

import io.pgstress.result.Sum.By;
import io.pgstress.result.Sum.Rule;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The process and the machine that generated the load.
 *
 * @param threadKind {@code platform}, {@code virtual} or {@code loop}
 * @param polling how event loops waited for their clients' sockets, {@code io_uring} or {@code selector}; null: there were none, or
 *     it is unknown
 * @param pool the pool's settings in force
 * @param cpuCoresUsed CPU time of this process during the measurement, in cores
 * @param cpuMicrosPerOperation CPU time of this process per operation
 * @param gcPauseSeconds time during the measurement in which garbage collection stopped all threads
 * @param compilerSeconds CPU time of the JVM's compiler in the measurement; null if unknown
 * @param startUpCache whether the JVM was started with an ahead-of-time cache of its classes; null if unknown
 * @param ownWaitShare the part (0 to 1) of the mean latency that was the client's own waiting, for a core or on an event loop for its
 *     turn, after the answer had arrived: an estimate; null if unknown
 */
public record ClientInfo(
        @By(Rule.JOINED) String jvm,
        @By(Rule.JOINED) String os,
        @By(Rule.ADDED) int cpus,
        @By(Rule.JOINED) String threadKind,
        @By(Rule.JOINED) @Nullable String polling,
        Map<String, String> pool,
        @By(Rule.ADDED) double cpuCoresUsed,
        @By(Rule.BY_CALLER) double cpuMicrosPerOperation,
        @By(Rule.ADDED) double gcPauseSeconds,
        @By(Rule.ALL_KNOWN) @Nullable Double compilerSeconds,
        @By(Rule.MAX) @Nullable Double loadAverage,
        @By(Rule.ALL_KNOWN) @Nullable Long residentBytes,
        @By(Rule.MAX) @Nullable Boolean startUpCache,
        @By(Rule.BY_CALLER) @Nullable Double ownWaitShare) {
    /** What stands for names if no client has reported them. */
    public static final String UNKNOWN = "unknown";

    /** An unknown client. Its names are this text. */
    public static ClientInfo unknown(String name) {
        return new ClientInfo(name, name, 0, name, null, Map.of(), 0, 0, 0, null, null, null, null, null);
    }
}
