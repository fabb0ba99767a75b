package io.pgstress.result;

import io.pgstress.result.Sum.By;
import io.pgstress.result.Sum.Rule;
import io.pgstress.text.Inline;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the clients did and met.
 *
 * @param operations by name, in the order of the mix; sums over all nodes
 * @param nodes each coordinator's share
 * @param network the traffic of the clients' sockets during the measurement
 * @param connecting the time for connecting; null if unknown
 * @param outages periods without a successful operation
 * @param halts the pauses of all clients while an operation was reset
 * @param intervals those of the measurement and the drain
 * @param warmupIntervals those of the warm-up, with times since its start
 * @param hosts the shares of the load generator hosts; empty for a run on one host
 */
public record LoadResult(
        Map<String, OperationResult> operations,
        List<NodeResult> nodes,
        Network network,
        @Nullable Connecting connecting,
        List<Outage> outages,
        Pauses halts,
        @Inline Open open,
        List<IntervalResult> intervals,
        List<IntervalResult> warmupIntervals,
        List<HostResult> hosts) {
    /** A load without clients. */
    public static final LoadResult NONE = new LoadResult(
            Map.of(),
            List.of(),
            Network.NONE,
            null,
            List.of(),
            Pauses.NONE,
            Open.NONE,
            List.of(),
            List.of(),
            List.of());

    /**
     * What only an open loop has.
     *
     * @param rateSteps the steps of the target rate, in order; empty in a closed loop
     * @param scheduleLagMicros how late operations started; null in a closed loop
     * @param backlog operations that were due but not started at the end of the measurement; null in a closed loop
     * @param droppedFromWarmup operations that were due in the warm-up, did not start and were dropped; null in a closed loop
     */
    public record Open(
            @By(Rule.BY_INDEX) List<RateStep> rateSteps,
            @Nullable Latency scheduleLagMicros,
            @By(Rule.ADDED) @Nullable Long backlog,
            @By(Rule.ADDED) @Nullable Long droppedFromWarmup) {
        /** That of a closed loop. */
        public static final Open NONE = new Open(List.of(), null, null, null);
    }

    /** A copy with other operations, and their shares by node. */
    public LoadResult withOperations(Map<String, OperationResult> byName, List<NodeResult> byNode) {
        return new LoadResult(
                byName, byNode, network, connecting, outages, halts, open, intervals, warmupIntervals, hosts);
    }

    /** A copy with other traffic. */
    public LoadResult withNetwork(Network other) {
        return new LoadResult(
                operations, nodes, other, connecting, outages, halts, open, intervals, warmupIntervals, hosts);
    }

    /** A copy with other hosts. */
    public LoadResult withHosts(List<HostResult> others) {
        return new LoadResult(
                operations, nodes, network, connecting, outages, halts, open, intervals, warmupIntervals, others);
    }

    /** A copy with other intervals. */
    public LoadResult withIntervals(List<IntervalResult> measured, List<IntervalResult> warmup) {
        return new LoadResult(operations, nodes, network, connecting, outages, halts, open, measured, warmup, hosts);
    }
}
