package io.pgstress.verdict;

import io.pgstress.result.RunResult;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;

/** Judges a run by what its result holds. */
public final class Judge {
    /** The checks, those with the gravest reasons first. */
    private static final List<BiConsumer<RunResult, Remarks>> CHECKS = List.of(Availability::judge, SteadyState::judge);

    private Judge() {}

    /** The same result with the reasons and warnings that its data give, after those that it has. */
    public static RunResult judged(RunResult result) {
        Remarks remarks = new Remarks();
        CHECKS.forEach(check -> check.accept(result, remarks));
        return result.withRemarks(
                distinct(result.reasons(), remarks.reasons()), distinct(result.warnings(), remarks.warnings()));
    }

    private static List<String> distinct(List<String> before, List<String> found) {
        Set<String> all = new LinkedHashSet<>(before);
        all.addAll(found);
        return new ArrayList<>(all);
    }
}
