package io.pgstress.report.format;

import io.pgstress.plan.option.Percent;
import io.pgstress.result.Comparison;
import io.pgstress.result.Comparison.Effect;
import java.util.stream.Collectors;

/** The short verdict of a comparison for each variant. */
public final class ComparisonVerdict {
    private ComparisonVerdict() {}

    /** All effects on the primary metric; the first sentence if there is no ratio. */
    public static String of(Comparison comparison) {
        String all = comparison.effects().stream()
                .filter(e -> e.metric().equals(comparison.primary()))
                .map(e -> of(e, comparison))
                .collect(Collectors.joining("; "));
        return all.isEmpty() ? String.join(" ", comparison.verdict()) : all;
    }

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
