package io.pgstress.compare;

import io.pgstress.plan.Limit;
import io.pgstress.result.Comparison.Effect;
import io.pgstress.result.Comparison.LimitCheck;
import java.util.ArrayList;
import java.util.List;

/** Changes that are not accepted, held against what was found: broken only where the whole interval is beyond. */
final class Limits {
    private Limits() {}

    static List<LimitCheck> check(List<Limit> limits, List<Effect> effects, List<String> variants) {
        List<LimitCheck> checks = new ArrayList<>();
        for (Limit limit : limits) {
            for (String variant : variants) {
                checks.add(effects.stream()
                        .filter(e -> e.variant().equals(variant) && e.metric().equals(Metrics.ofLimit(limit.metric())))
                        .findFirst()
                        .map(e -> check(limit, e))
                        .orElseGet(() -> new LimitCheck(
                                limit.text(), variant, false, "not known: too few operations or rounds")));
            }
        }
        return checks;
    }

    private static LimitCheck check(Limit limit, Effect e) {
        boolean broken = limit.isAbove() ? e.low() > limit.ratio() : e.high() < limit.ratio();
        boolean pointIsBeyond = limit.isAbove() ? e.ratio() > limit.ratio() : e.ratio() < limit.ratio();
        String range = Words.change(e.ratio()) + " (" + Words.change(e.low()) + " to " + Words.change(e.high()) + ")";
        String words = broken
                ? range + ": all of the interval is beyond"
                : range + (pointIsBeyond ? ": beyond, but not surely" : ": kept");
        return new LimitCheck(limit.text(), e.variant(), broken, words);
    }
}
