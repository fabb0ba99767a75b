package io.pgstress.target.statement;

import io.pgstress.plan.StatementMode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The server's plan of a statement in one mode, in the lines of EXPLAIN.
 *
 * @param first the plan of the first execution
 * @param later the plan of the sixth, which may be generic; the same as the first except for named statements
 * @param genericFirst whether the first plan was generic, as for statements without parameters; null if unknown
 * @param genericLater the same for the sixth
 * @param error why there is no plan; the plans are empty then
 */
public record ModePlan(
        StatementMode mode,
        List<String> first,
        List<String> later,
        @Nullable Boolean genericFirst,
        @Nullable Boolean genericLater,
        @Nullable String error) {
    /** The plan in sessions that end after their first execution. */
    public ModePlan inNewSessions() {
        return new ModePlan(mode, first, first, genericFirst, genericFirst, error);
    }
}
