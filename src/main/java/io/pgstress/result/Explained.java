package io.pgstress.result;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the server said it would do with the statements, and what came of it.
 *
 * @param lines in words, one an operation
 * @param routes of each statement in each mode
 * @param nodes what the nodes that hold the data counted of the run; empty where there are none
 * @param expectedPerOperation statements on the nodes per operation, by the routes of the run's own mode
 * @param seenPerOperation the same as the nodes counted it (the amplification)
 * @param genericPlans how often one session of the load was planned for so, of PostgreSQL 14 and newer; null: not told
 * @param customPlans likewise
 * @param verdict in words: whether what was seen is what was explained; null where it could not be told
 */
public record Explained(
        List<String> lines,
        List<StatementRoute> routes,
        List<NodeStatements> nodes,
        @Nullable Double expectedPerOperation,
        @Nullable Double seenPerOperation,
        @Nullable Long genericPlans,
        @Nullable Long customPlans,
        @Nullable String verdict) {
    /** Nothing was explained. */
    public static final Explained NONE = new Explained(List.of(), List.of(), List.of(), null, null, null, null, null);

    /**
     * What one node counted over the whole run.
     *
     * @param statements of the run's tables
     * @param twoPhase transactions that it prepared for a two-phase commit
     * @param twoPhaseAtLeast whether there were more of those: the node dropped what it had counted
     * @param texts how often each text came, the numbers of shards left out; of what came without a text there is none
     */
    public record NodeStatements(
            String node,
            String role,
            long statements,
            long twoPhase,
            boolean twoPhaseAtLeast,
            Map<String, Long> texts) {
        public NodeStatements {
            texts = texts == null ? Map.of() : texts; // results of before there were any
        }
    }
}
