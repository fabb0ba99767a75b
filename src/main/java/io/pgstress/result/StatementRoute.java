package io.pgstress.result;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The destination of a statement, according to the server's plan before the run.
 *
 * @param mode the statement mode
 * @param touched number of shards or datanodes touched; null if the plan does not show it
 * @param touchedLater the same at the sixth execution
 * @param of the total number
 * @param unit {@code table} (one server), {@code shards}, {@code datanodes} or {@code segments}
 * @param nodes the nodes touched, if the plan names them
 * @param nodesOf number of nodes that hold the table; 0: the server itself
 * @param plan {@code custom}, {@code generic} (at once, as for statements without parameters), {@code custom-then-generic} (from the sixth
 *     execution on) or {@code unknown}
 * @param commit {@code none} (it changes nothing), {@code one-phase}, {@code two-phase} or {@code unknown}
 * @param scans how rows are found; empty if the plan does not show it
 * @param error why there is no plan
 */
public record StatementRoute(
        String operation,
        String statement,
        String mode,
        @Nullable Integer touched,
        @Nullable Integer touchedLater,
        int of,
        String unit,
        List<String> nodes,
        int nodesOf,
        String plan,
        String commit,
        List<String> scans,
        @Nullable String error) {
    /** Whether it reads all rows of a table. */
    public boolean readsAll() {
        return scans.stream().anyMatch(scan -> scan.endsWith("Seq Scan"));
    }
}
