package io.pgstress.result;

import io.pgstress.machine.MachineProfile;
import io.pgstress.text.Records;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
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
 * @param machines the client's machine and those that were watched by {@code --watch-host}
 * @param bottleneck which machine was the limit, or that none was, in words; null if unknown
 * @param checkpointer changes of the counters of checkpoints during the measurement
 * @param io changes of {@code pg_stat_io} during the measurement, from PostgreSQL 16 on
 * @param unobserved names of the nodes and watched hosts whose machines could not be observed
 */
public record ServerProfile(
        Map<String, Long> waitEvents,
        long waitSamples,
        Map<String, Double> database,
        List<ServerStatement> statements,
        Map<String, Double> wal,
        List<MachineProfile> hosts,
        List<String> notes,
        Explained explained,
        List<MachineProfile> machines,
        @Nullable String bottleneck,
        Map<String, Double> checkpointer,
        List<IoCounts> io,
        List<String> unobserved) {
    /** A copy with other machines than the nodes', and the machine that was the limit. */
    public ServerProfile withMachines(List<MachineProfile> others, @Nullable String limit) {
        return Records.with(Records.with(this, "machines", others), "bottleneck", limit);
    }

    /** The machines of the nodes, followed by the others. */
    public List<MachineProfile> allMachines() {
        return Stream.concat(hosts.stream(), machines.stream()).toList();
    }

    /** An empty profile. */
    public static final ServerProfile NONE = new ServerProfile(
            Map.of(),
            0,
            Map.of(),
            List.of(),
            Map.of(),
            List.of(),
            List.of(),
            Explained.NONE,
            List.of(),
            null,
            Map.of(),
            List.of(),
            List.of());

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
     * A row of {@code pg_stat_io} that changed during the measurement.
     *
     * @param context {@code normal}, {@code vacuum}, {@code bulkread}, {@code bulkwrite} or {@code init}
     * @param counts changes by column, without those that are 0: operations, and milliseconds for times
     */
    public record IoCounts(
            String node, String backendType, String object, String context, Map<String, Double> counts) {}
}
