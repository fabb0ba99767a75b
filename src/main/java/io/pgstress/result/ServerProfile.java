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
 * @param hosts the machines of the cluster's nodes
 * @param explained where the statements were to go, and where they went
 */
public record ServerProfile(
        Map<String, Long> waitEvents,
        long waitSamples,
        Map<String, Double> database,
        List<ServerStatement> statements,
        Map<String, Double> wal,
        List<HostProfile> hosts,
        List<String> notes,
        Explained explained) {
    public ServerProfile {
        explained = explained == null ? Explained.NONE : explained; // results of before there was one
    }

    /** Nothing could be had. */
    public static final ServerProfile NONE =
            new ServerProfile(Map.of(), 0, Map.of(), List.of(), Map.of(), List.of(), List.of(), Explained.NONE);

    /**
     * What {@code pg_stat_statements} counted.
     *
     * @param blocksHit found in the server's cache
     * @param blocksRead asked of the operating system
     * @param walBytes of PostgreSQL 13 and newer; a commit's own record is not in it
     */
    public record ServerStatement(
            String node,
            String query,
            long calls,
            long rows,
            double totalExecMillis,
            @Nullable Double meanExecMicros,
            @Nullable Long blocksHit,
            @Nullable Long blocksRead,
            @Nullable Long walBytes) {}

    /**
     * What a node's machine did over the run, as its own {@code /proc} has it; nothing of the client's sockets.
     *
     * @param cpuBusy share of all cores, 0 to 1
     * @param loadAverage of a minute, at the end
     * @param samples the same at intervals of some seconds
     */
    public record HostProfile(
            String node,
            String role,
            @Nullable Double cpuBusy,
            @Nullable Double loadAverage,
            @Nullable Double inMbitPerSecond,
            @Nullable Double outMbitPerSecond,
            @Nullable Double diskWriteMbPerSecond,
            List<HostSample> samples) {
        public HostProfile {
            role = role == null ? "" : role; // results of before there was one
            samples = samples == null ? List.of() : samples;
        }
    }

    /** A machine within one interval; {@code atSeconds} since the start of the measurement, below 0 before it. */
    public record HostSample(
            double atSeconds,
            double seconds,
            double cpuBusy,
            double loadAverage,
            double inMbitPerSecond,
            double outMbitPerSecond,
            @Nullable Double diskWriteMbPerSecond) {}
}
