package io.pgstress.cli;

import io.pgstress.plan.FigureLimit;
import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.result.Result;
import io.pgstress.result.RunResult;
import io.pgstress.result.RunResult.LimitCheck;
import io.pgstress.verdict.FigureLimits;
import java.util.ArrayList;
import java.util.List;

/** {@code --fail-if} of runs: limits on their overall figures. {@code compare} has its own, for changes. */
public final class FailIf {
    private FailIf() {}

    /**
     * The results, checked against the limits; unchanged if there are none.
     *
     * @throws InvalidPlanException if one is not a run, because other results have other figures
     */
    public static List<Result> check(List<? extends Result> findings, List<FigureLimit> limits) {
        List<Result> checked = new ArrayList<>();
        for (Result finding : findings) {
            if (limits.isEmpty()) {
                checked.add(finding);
            } else if (finding instanceof RunResult run) {
                checked.add(FigureLimits.checked(run, limits));
            } else {
                throw new InvalidPlanException("--fail-if: limits the figures of runs, and "
                        + finding.run().id() + " is not a run");
            }
        }
        return checked;
    }

    /** Whether a limit is broken. */
    public static boolean isBroken(Result finding) {
        return finding instanceof RunResult run && run.limits().stream().anyMatch(LimitCheck::broken);
    }
}
