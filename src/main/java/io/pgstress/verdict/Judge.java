package io.pgstress.verdict;

import io.pgstress.result.RunResult;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Judges a run by what its result holds. */
public final class Judge {
    private Judge() {}

    /**
     * The same result with the reasons and warnings that its data give: that a server was unavailable comes first, as much else
     * follows from it; what follows from something else comes last.
     */
    public static RunResult judged(RunResult result) {
        Remarks first = new Remarks();
        Availability.unavailable(result, first);
        Remarks last = new Remarks();
        Availability.idle(result, last);
        LockWaits.judge(result, last);
        SteadyState.judge(result, last);
        return result.withRemarks(
                distinct(first.reasons(), result.reasons(), last.reasons()),
                distinct(first.warnings(), result.warnings(), last.warnings()));
    }

    @SafeVarargs
    private static List<String> distinct(List<String>... parts) {
        Set<String> all = new LinkedHashSet<>();
        for (List<String> part : parts) {
            all.addAll(part);
        }
        return new ArrayList<>(all);
    }
}
