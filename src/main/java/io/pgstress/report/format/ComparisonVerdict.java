package io.pgstress.report.format;

import io.pgstress.plan.option.Percent;
import io.pgstress.result.Comparison;
import io.pgstress.result.Comparison.Effect;

/** The short verdict on a variant. */
public final class ComparisonVerdict {
    private ComparisonVerdict() {}

    public static String of(Effect effect, Comparison comparison) {
        String baseline = comparison.baseline();
        return switch (effect.verdict()) {
            case "faster", "slower" -> effect.variant() + " is " + effect.verdict() + " than " + baseline;
            case "same" ->
                effect.variant() + " is the same as " + baseline + " within " + Percent.text(comparison.margin());
            default ->
                (effect.low() > 1 || effect.high() < 1
                                ? "too few rounds (" + effect.rounds() + ") for a verdict on "
                                : "no detectable difference between ")
                        + effect.variant() + " and " + baseline;
        };
    }
}
