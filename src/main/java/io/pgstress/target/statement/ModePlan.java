package io.pgstress.target.statement;

import io.pgstress.plan.StatementMode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The server's plan of a statement in one mode, in the lines of EXPLAIN.
 *
 * @param first the plan of the first execution
 * @param later the plan of the sixth, which may be generic; the same as the first except for named statements
 * @param genericLater whether the sixth plan was generic; null if unknown
 * @param error why there is no plan; the plans are empty then
 */
public record ModePlan(
        StatementMode mode,
        List<String> first,
        List<String> later,
        @Nullable Boolean genericLater,
        @Nullable String error) {
    /**
     * The plan in sessions that end after their first execution, which is custom unless a setting says otherwise.
     *
     * @param isSet whether the run sets {@code plan_cache_mode}
     */
    public ModePlan inNewSessions(boolean isSet) {
        return new ModePlan(mode, first, first, (genericLater == null || isSet) ? null : Boolean.FALSE, error);
    }
}
