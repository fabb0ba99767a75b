package io.pgstress.target.statement;

import io.pgstress.plan.StatementMode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The server's plan of a statement in one mode, in the lines of EXPLAIN.
 *
 * @param first of its first execution
 * @param later of the sixth, when the server may have turned to a generic plan; the same as the first but for named ones
 * @param genericLater whether the sixth was by a generic plan; null where the server does not tell
 * @param error what the server said, or what there is to say, instead; the plans are empty then
 */
public record ModePlan(
        StatementMode mode,
        List<String> first,
        List<String> later,
        @Nullable Boolean genericLater,
        @Nullable String error) {}
