package io.pgstress.result;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the server reported about the run. What could not be read is empty, and {@code notes} says why.
 *
 * @param waitEvents number of samples in which a client's session waited, by {@code state}, type and event
 * @param waitSamples number of samples of sessions
 * @param database changes of {@code pg_stat_database} over the run
 * @param statements the run's statements in {@code pg_stat_statements}, by operation's statement
 * @param wal changes of the counters of WAL and checkpoints
 * @param hosts the machines of the cluster's nodes
 * @param explained where the statements should go according to their plans, and where they went
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

    /** An empty profile. */
    public static final ServerProfile NONE =
            new ServerProfile(Map.of(), 0, Map.of(), List.of(), Map.of(), List.of(), List.of(), Explained.NONE);

    /**
     * The counts of {@code pg_stat_statements}.
     *
     * @param blocksHit blocks found in the server's cache
     * @param blocksRead blocks requested from the operating system
     * @param walBytes WAL generated, from PostgreSQL 13 on; excludes the commit record
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
     * The activity of a node's machine over the run, from its {@code /proc}.
     *
     * @param cpuBusy share of all cores, 0 to 1
     * @param loadAverage the one-minute load average at the end
     * @param samples the same figures every few seconds
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

    /**
     * The figures of a machine for one interval; {@code atSeconds} is relative to the start of the measurement and negative
     * before it.
     */
    public record HostSample(
            double atSeconds,
            double seconds,
            double cpuBusy,
            double loadAverage,
            double inMbitPerSecond,
            double outMbitPerSecond,
            @Nullable Double diskWriteMbPerSecond) {}
}
