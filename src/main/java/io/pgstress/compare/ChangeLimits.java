package io.pgstress.compare;

import io.pgstress.plan.scenario.Limit;
import io.pgstress.result.Comparison.Effect;
import io.pgstress.result.Comparison.LimitCheck;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Checks limits on changes against the result; a limit is broken only if the whole interval lies beyond it. */
final class ChangeLimits {
    private ChangeLimits() {}

    /** @param nothing variants without any successful operation */
    static List<LimitCheck> check(
            List<Limit> limits, List<Effect> effects, List<String> variants, Predicate<String> nothing) {
        List<LimitCheck> checks = new ArrayList<>();
        for (Limit limit : limits) {
            for (String variant : variants) {
                checks.add(effects.stream()
                        .filter(e -> e.variant().equals(variant) && e.metric().equals(Metrics.ofLimit(limit.metric())))
                        .findFirst()
                        .map(e -> check(limit, e))
                        .orElseGet(() -> unknown(limit, variant, nothing.test(variant))));
            }
        }
        return checks;
    }

    private static LimitCheck unknown(Limit limit, String variant, boolean nothing) {
        boolean broken = nothing && !limit.isAbove() && Metrics.isRate(Metrics.ofLimit(limit.metric()));
        return broken
                ? new LimitCheck(limit.text(), variant, true, "no operation succeeded")
                : LimitCheck.unknown(limit.text(), variant);
    }

    /** Warnings about limits that could not be checked. */
    static List<Remark> unknown(List<LimitCheck> checks) {
        return checks.stream()
                .filter(LimitCheck::unanswered)
                .map(c -> Remark.of(RemarkCode.LIMIT_NOT_CHECKED, c.limit(), c.variant()))
                .toList();
    }

    private static LimitCheck check(Limit limit, Effect e) {
        boolean broken = limit.isAbove() ? e.low() > limit.ratio() : e.high() < limit.ratio();
        boolean pointIsBeyond = limit.isAbove() ? e.ratio() > limit.ratio() : e.ratio() < limit.ratio();
        String range = VerdictText.change(e.ratio()) + " (" + VerdictText.change(e.low()) + " to "
                + VerdictText.change(e.high()) + ")";
        String words = broken
                ? range + ": the whole interval is beyond the limit"
                : range + (pointIsBeyond ? ": beyond the limit, but not with confidence" : ": within the limit");
        return new LimitCheck(limit.text(), e.variant(), broken, words);
    }
}
