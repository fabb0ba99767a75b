package io.pgstress.result;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The server's plans for the statements, and what the nodes then counted.
 *
 * @param lines the plans in words, one line per operation
 * @param routes the route of each statement in each mode
 * @param nodes the counts of the nodes that hold the data; empty if there are none
 * @param expectedPerOperation statements on the nodes per operation, according to the routes for the run's mode
 * @param seenPerOperation the same, as counted by the nodes (the amplification)
 * @param twoPhaseCommits number of transactions that were committed in two phases, each once, however many nodes prepared it; a lower
 *     bound if a node {@link NodeStatements#twoPhaseAtLeast discarded} some of its counts; null if unknown
 * @param genericPlans number of generic plans in one session of the load, from PostgreSQL 14 on; null if unknown
 * @param customPlans the same for custom plans
 * @param verdict whether the counts match the plans, in words; null if unknown
 */
public record Explained(
        List<String> lines,
        List<StatementRoute> routes,
        List<NodeStatements> nodes,
        @Nullable Double expectedPerOperation,
        @Nullable Double seenPerOperation,
        @Nullable Long twoPhaseCommits,
        @Nullable Long genericPlans,
        @Nullable Long customPlans,
        @Nullable String verdict) {
    /** Nothing was explained. */
    public static final Explained NONE =
            new Explained(List.of(), List.of(), List.of(), null, null, null, null, null, null);

    /**
     * The counts of one node over the whole run.
     *
     * @param statements number of statements on the run's tables
     * @param twoPhase number of times a transaction was prepared for a two-phase commit; a transaction that uses several connections to the
     *     node is prepared on each
     * @param twoPhaseAtLeast whether {@code twoPhase} is a lower bound, because the node discarded some of its counts
     * @param texts number of executions by text, without shard numbers; statements without a text are not included
     */
    public record NodeStatements(
            String node,
            String role,
            long statements,
            long twoPhase,
            boolean twoPhaseAtLeast,
            Map<String, Long> texts) {}
}
