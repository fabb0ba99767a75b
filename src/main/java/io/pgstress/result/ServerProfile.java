package io.pgstress.result;

import io.pgstress.machine.Environment;
import io.pgstress.machine.MachineUse;
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
        List<HostProfile> hosts,
        List<String> notes,
        Explained explained,
        List<HostProfile> machines,
        @Nullable String bottleneck,
        Map<String, Double> checkpointer,
        List<IoCounts> io,
        List<String> unobserved) {
    /** A copy with other machines than the nodes', and the machine that was the limit. */
    public ServerProfile withMachines(List<HostProfile> others, @Nullable String limit) {
        return Records.with(Records.with(this, "machines", others), "bottleneck", limit);
    }

    /** The machines of the nodes, followed by the others. */
    public List<HostProfile> allMachines() {
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

    /**
     * The activity of a node's machine over the run, from its {@code /proc}.
     *
     * @param cpuBusy share of all cores, 0 to 1
     * @param loadAverage the one-minute load average at the end
     * @param samples the same figures every few seconds
     * @param use what its CPUs and disks did
     * @param environment its properties; null if unknown
     * @param processCpu share of all cores' time that the node's own processes took, 0 to 1: the server's, or the load tester's. Tells
     *     nodes on one machine apart; null if unknown
     */
    public record HostProfile(
            String node,
            String role,
            @Nullable Double cpuBusy,
            @Nullable Double loadAverage,
            @Nullable Double inMbitPerSecond,
            @Nullable Double outMbitPerSecond,
            @Nullable Double diskWriteMbPerSecond,
            List<HostSample> samples,
            @Nullable MachineUse use,
            @Nullable Environment environment,
            @Nullable Double processCpu) {
        /** The role of a machine that generates the load. */
        public static final String CLIENT = "client";

        /** A copy with another name. */
        public HostProfile named(String other) {
            return new HostProfile(
                    other,
                    role,
                    cpuBusy,
                    loadAverage,
                    inMbitPerSecond,
                    outMbitPerSecond,
                    diskWriteMbPerSecond,
                    samples,
                    use,
                    environment,
                    processCpu);
        }

        /** A copy without samples, with or without other parts. */
        public HostProfile only(boolean withUse, boolean withEnvironment) {
            return new HostProfile(
                    node,
                    role,
                    withUse ? cpuBusy : null,
                    withUse ? loadAverage : null,
                    withUse ? inMbitPerSecond : null,
                    withUse ? outMbitPerSecond : null,
                    withUse ? diskWriteMbPerSecond : null,
                    List.of(),
                    withUse ? use : null,
                    withEnvironment ? environment : null,
                    withUse ? processCpu : null);
        }

        /** A copy with these properties. */
        public HostProfile with(@Nullable Environment properties) {
            return new HostProfile(
                    node,
                    role,
                    cpuBusy,
                    loadAverage,
                    inMbitPerSecond,
                    outMbitPerSecond,
                    diskWriteMbPerSecond,
                    samples,
                    use,
                    properties,
                    processCpu);
        }

        /** Its name; host and port of a server that is named by its URL. */
        public String shortName() {
            return shortNameOf(node);
        }

        /** A node's {@link #shortName}. */
        public static String shortNameOf(String node) {
            return node.replaceFirst("^jdbc:postgresql://([^/?]*)\\S*", "$1");
        }

        /** Its short name, with its role. */
        public String title() {
            return role.isEmpty() || role.equals(node) ? shortName() : shortName() + " (" + role + ")";
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
            @Nullable Double diskWriteMbPerSecond,
            @Nullable MachineUse use) {}
}
