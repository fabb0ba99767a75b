package io.pgstress.result;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Everything that a run found. All reports are made from it, and its JSON has the components' names (schema 1, see
 * {@code docs/result-format.md}). Units are in the names. Values that are not available are null and left out.
 *
 * @param operations by name, in the order of the mix; sums over all nodes
 * @param outages the times in which nothing succeeded
 * @param rateSteps the steps of an open load's target rate, in order; empty in a closed load
 * @param scheduleLagMicros how late operations started; only in an open load
 * @param backlog intended starts that were due at the end of the measurement and not begun; only in an open load
 * @param droppedFromWarmup intended starts that the warm-up left undone and that were dropped; only in an open load
 * @param halts the pauses of all clients while an operation was reset
 * @param network what the client's own sockets carried during the measurement
 * @param valid whether the figures may be used
 * @param reasons why the result is not valid, the most serious first; empty if it is valid
 * @param limits the requested limits, and whether the figures keep them; independent of validity
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
        Network network,
        boolean valid,
        List<String> reasons,
        List<String> warnings,
        List<LimitCheck> limits)
        implements Result {
    public static final int SCHEMA = 1;

    public RunResult {
        rateSteps = Objects.requireNonNullElse(rateSteps, List.of()); // older results do not have these three
        reasons = Objects.requireNonNullElse(reasons, List.of());
        limits = Objects.requireNonNullElse(limits, List.of());
    }

    /** All operations added up. */
    public OperationResult total() {
        return OperationMerge.of(operations.values());
    }

    /** The number of clients on all nodes; the requested one if the nodes have none. */
    public int clients() {
        int clients = nodes.stream().mapToInt(NodeResult::clients).sum();
        return clients > 0 ? clients : run.workload().clients();
    }

    /** The mix as on the command line, or the names of the operations. */
    public String mix() {
        String mix = run.workload().mix();
        return mix.isEmpty() ? String.join(",", operations.keySet()) : mix;
    }

    /** The times that are the headline of an operation of this run; null if there are none. */
    public @Nullable Latency headline(OperationResult operation) {
        return operation.latencyMicros().get(run.workload().headline());
    }

    /** The same with the command line that led to it. */
    public RunResult withArgv(List<String> argv) {
        return with(run.withArgv(argv), servers, intervals, reasons, warnings, limits);
    }

    /** The same with another start, for a part of a longer run. */
    public RunResult startedAt(String start) {
        return with(run.startedAt(start), servers, intervals, reasons, warnings, limits);
    }

    /** The same with the limits that it was checked against. */
    public RunResult withLimits(List<LimitCheck> checks) {
        return with(run, servers, intervals, reasons, warnings, List.copyOf(checks));
    }

    /** The same with other reasons and warnings; valid if there is no reason. */
    public RunResult withRemarks(List<String> otherReasons, List<String> otherWarnings) {
        return with(run, servers, intervals, otherReasons, otherWarnings, limits, otherReasons.isEmpty());
    }

    /** The same with other intervals. */
    public RunResult withIntervals(List<IntervalResult> others) {
        return with(run, servers, others, reasons, warnings, limits);
    }

    /** The same with other servers, and without intervals. */
    public RunResult withoutIntervals(List<ServerInfo> others) {
        return with(run, others, List.of(), reasons, warnings, limits);
    }

    private RunResult with(
            RunInfo newRun,
            List<ServerInfo> newServers,
            List<IntervalResult> newIntervals,
            List<String> newReasons,
            List<String> newWarnings,
            List<LimitCheck> newLimits) {
        return with(newRun, newServers, newIntervals, newReasons, newWarnings, newLimits, valid);
    }

    private RunResult with(
            RunInfo newRun,
            List<ServerInfo> newServers,
            List<IntervalResult> newIntervals,
            List<String> newReasons,
            List<String> newWarnings,
            List<LimitCheck> newLimits,
            boolean newValid) {
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
                network,
                newValid,
                newReasons,
                newWarnings,
                newLimits);
    }
}
