package io.pgstress.result;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The complete result of a run. All reports are created from it, and its JSON uses the names of the components (schema 1, see
 * {@code docs/result-format.md}). Units are part of the names. Unavailable values are null and omitted.
 *
 * @param operations by name, in the order of the mix; sums over all nodes
 * @param outages periods without a successful operation
 * @param rateSteps the steps of an open load's target rate, in order; empty in a closed load
 * @param scheduleLagMicros how late operations started; open loads only
 * @param backlog operations that were due but not started at the end of the measurement; open loads only
 * @param droppedFromWarmup operations that were due in the warm-up, did not start and were dropped; open loads only
 * @param halts the pauses of all clients while an operation was reset
 * @param warmupIntervals those of the warm-up, with times since its start; empty in older results
 * @param network the traffic of the clients' sockets during the measurement
 * @param connecting the time for connecting; null if unknown, as in older results
 * @param valid whether the figures may be used
 * @param reasons why the result is not valid, the most serious first; empty if it is valid
 * @param limits the requested limits, and whether they are broken; independent of validity
 * @param hosts the stress hosts' shares; empty for a run on one host
 */
public record RunResult(
        int schema,
        ToolInfo tool,
        RunInfo run,
        ClientInfo client,
        List<ServerInfo> servers,
        DatasetInfo dataset,
        Map<String, OperationResult> operations,
        List<Outage> outages,
        List<RateStep> rateSteps,
        @Nullable Latency scheduleLagMicros,
        @Nullable Long backlog,
        @Nullable Long droppedFromWarmup,
        Pauses halts,
        ServerProfile serverProfile,
        List<NodeResult> nodes,
        List<IntervalResult> intervals,
        List<IntervalResult> warmupIntervals,
        Network network,
        @Nullable Connecting connecting,
        boolean valid,
        List<String> reasons,
        List<String> warnings,
        List<LimitCheck> limits,
        List<HostResult> hosts)
        implements Result {
    public static final int SCHEMA = 1;

    public RunResult {
        rateSteps = Objects.requireNonNullElse(rateSteps, List.of()); // older results do not have these five
        reasons = Objects.requireNonNullElse(reasons, List.of());
        limits = Objects.requireNonNullElse(limits, List.of());
        warmupIntervals = Objects.requireNonNullElse(warmupIntervals, List.of());
        hosts = Objects.requireNonNullElse(hosts, List.of());
    }

    /** The sum of all operations. */
    public OperationResult total() {
        return OperationMerge.of(operations.values());
    }

    /** The measurement, and the successful operations that ended within it. */
    public Connecting.Window window() {
        return new Connecting.Window(
                run.measuredSeconds(),
                operations.values().stream()
                        .mapToLong(OperationResult::completed)
                        .sum());
    }

    /** The number of clients on all nodes; the requested one if the nodes have none. */
    public int clients() {
        int clients = nodes.stream().mapToInt(NodeResult::clients).sum();
        return clients > 0 ? clients : run.workload().clients();
    }

    /** How evenly the clients of all nodes worked; null if unknown. */
    public NodeResult.@Nullable ClientOperations clientOperations() {
        return NodeResult.ClientOperations.together(
                nodes.stream().map(NodeResult::clientOperations).toList());
    }

    /** The mix as on the command line, or the names of the operations. */
    public String mix() {
        String mix = run.workload().mix();
        return mix.isEmpty() ? String.join(",", operations.keySet()) : mix;
    }

    /** The headline latency of an operation of this run; null if there is none. */
    public @Nullable Latency headline(OperationResult operation) {
        return operation.latencyMicros().get(run.workload().headline());
    }

    /** A copy with this command line. */
    public RunResult withArgv(List<String> argv) {
        return with(run.withArgv(argv), servers, intervals, warmupIntervals, valid, reasons, warnings, limits);
    }

    /** A copy with another start time, for a part of a longer run. */
    public RunResult startedAt(String start) {
        return with(run.startedAt(start), servers, intervals, warmupIntervals, valid, reasons, warnings, limits);
    }

    /** A copy with these checked limits. */
    public RunResult withLimits(List<LimitCheck> checks) {
        return with(run, servers, intervals, warmupIntervals, valid, reasons, warnings, List.copyOf(checks));
    }

    /** A copy with other reasons and warnings; valid if there is no reason. */
    public RunResult withRemarks(List<String> otherReasons, List<String> otherWarnings) {
        return with(
                run, servers, intervals, warmupIntervals, otherReasons.isEmpty(), otherReasons, otherWarnings, limits);
    }

    /** A copy with other intervals of the measurement, and none of the warm-up. */
    public RunResult withIntervals(List<IntervalResult> others) {
        return withIntervals(others, List.of());
    }

    /** A copy with other intervals of the measurement and of the warm-up. */
    public RunResult withIntervals(List<IntervalResult> others, List<IntervalResult> othersOfWarmup) {
        return with(run, servers, others, othersOfWarmup, valid, reasons, warnings, limits);
    }

    /** A copy with the first figures of a run in progress. */
    public RunResult soFar(Map<String, OperationResult> first, Network traffic, List<HostResult> shares) {
        return new RunResult(
                schema,
                tool,
                run,
                client,
                servers,
                dataset,
                first,
                outages,
                rateSteps,
                scheduleLagMicros,
                backlog,
                droppedFromWarmup,
                halts,
                serverProfile,
                nodes,
                intervals,
                warmupIntervals,
                traffic,
                connecting,
                valid,
                reasons,
                warnings,
                limits,
                shares);
    }

    /** A copy with other servers and without intervals. */
    public RunResult withoutIntervals(List<ServerInfo> others) {
        return with(run, others, List.of(), List.of(), valid, reasons, warnings, limits);
    }

    private RunResult with(
            RunInfo newRun,
            List<ServerInfo> newServers,
            List<IntervalResult> newIntervals,
            List<IntervalResult> newWarmupIntervals,
            boolean newValid,
            List<String> newReasons,
            List<String> newWarnings,
            List<LimitCheck> newLimits) {
        return new RunResult(
                schema,
                tool,
                newRun,
                client,
                newServers,
                dataset,
                operations,
                outages,
                rateSteps,
                scheduleLagMicros,
                backlog,
                droppedFromWarmup,
                halts,
                serverProfile,
                nodes,
                newIntervals,
                newWarmupIntervals,
                network,
                connecting,
                newValid,
                newReasons,
                newWarnings,
                newLimits,
                hosts);
    }
}
