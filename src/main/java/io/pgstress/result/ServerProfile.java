package io.pgstress.result;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The server's own word on the run; what it did not let be read is empty and told in {@code notes}.
 *
 * @param waitEvents how often a client's session was seen waiting for this, by {@code state}, type and event, of samples
 * @param waitSamples how many samples of a session were taken
 * @param database deltas of {@code pg_stat_database} over the run
 * @param statements the run's statements in {@code pg_stat_statements}, by operation's statement
 * @param wal deltas of WAL and checkpoints
 */
public record ServerProfile(
        Map<String, Long> waitEvents,
        long waitSamples,
        Map<String, Double> database,
        List<ServerStatement> statements,
        Map<String, Double> wal,
        List<HostProfile> hosts,
        List<String> notes) {
    /** Nothing could be had. */
    public static final ServerProfile NONE =
            new ServerProfile(Map.of(), 0, Map.of(), List.of(), Map.of(), List.of(), List.of());

    /** What {@code pg_stat_statements} counted. */
    public record ServerStatement(
            String node,
            String query,
            long calls,
            long rows,
            double totalExecMillis,
            @Nullable Double meanExecMicros) {}

    /** What a node's machine did while measuring. */
    public record HostProfile(
            String node,
            @Nullable Double cpuBusy,
            @Nullable Double loadAverage,
            @Nullable Double inMbitPerSecond,
            @Nullable Double outMbitPerSecond,
            @Nullable Double diskWriteMbPerSecond) {}
}
