package io.pgstress.result;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where a statement goes, as the server planned it before the run.
 *
 * @param mode the statement mode
 * @param touched how many shards or datanodes; null where the plan does not say
 * @param touchedLater the same at the sixth execution
 * @param of how many there are
 * @param unit {@code table} (one server), {@code shards} or {@code datanodes}
 * @param nodes the nodes touched, where the plan names them
 * @param nodesOf how many nodes hold the table; 0: the server itself
 * @param plan of the sixth execution: {@code custom}, {@code generic} or {@code unknown}
 * @param commit {@code none} (it changes nothing), {@code one-phase}, {@code two-phase} or {@code unknown}
 * @param scans how the rows are found; empty where the plan does not show it
 * @param error what the server said, or what there is to say, instead of a plan
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
        @Nullable String error) {}
