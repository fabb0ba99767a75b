package io.pgstress.compare;

import io.pgstress.compare.EffectJudge.Differences;
import io.pgstress.compare.statistics.ClusterMeans;
import io.pgstress.compare.statistics.ClusterMeans.Spread;
import io.pgstress.compare.statistics.Interval;
import io.pgstress.compare.statistics.Line;
import io.pgstress.compare.statistics.StoppingRule;
import io.pgstress.plan.option.Percent;
import io.pgstress.result.Comparison.Drift;
import io.pgstress.result.Comparison.Effect;
import io.pgstress.result.Remark;
import io.pgstress.text.Rounded;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Verdicts and drift as sentences. */
public final class VerdictText {
    private static final int MIN_ROUNDS_OF_DRIFT = 5;
    private static final String RATE = "operations per second";

    private VerdictText() {}

    /** One sentence per variant, about the primary metric. */
    static List<String> verdicts(
            List<Effect> effects, String baseline, List<String> variants, double margin, int rounds) {
        List<String> words = new ArrayList<>();
        for (Effect e : effects) {
            if (e.metric().equals(Metrics.PRIMARY)) {
                words.add(verdict(e, baseline, margin));
            }
        }
        if (variants.isEmpty()) {
            words.add("There is only one variant, so there is nothing to compare.");
        } else if (rounds < 2 && words.isEmpty()) {
            words.add("One round shows no difference: an interval needs at least 2 rounds, and a verdict "
                    + StoppingRule.FIRST_LOOK + ".");
        } else {
            List<String> told = effects.stream()
                    .filter(e -> e.metric().equals(Metrics.PRIMARY))
                    .map(Effect::variant)
                    .toList();
            variants.stream()
                    .filter(v -> !told.contains(v))
                    .forEach(v -> words.add(v + " cannot be compared with " + baseline
                            + ": in more than a tenth of the rounds, no operation of one of them succeeded."));
        }
        return words;
    }

    private static String verdict(Effect e, String baseline, double margin) {
        String range = " (" + Rounded.change(e.low()) + " to " + Rounded.change(e.high()) + ")";
        return switch (e.verdict()) {
            case EffectJudge.SAME ->
                e.variant() + " is the same as " + baseline + " within " + Percent.text(margin) + range + causes(e);
            case EffectJudge.UNDECIDED ->
                e.variant() + " compared with " + baseline + " is undecided: " + Rounded.change(e.ratio(), RATE) + range
                        + more(e) + causes(e);
            default ->
                e.variant() + " is " + e.verdict() + " than " + baseline + ": " + Rounded.change(e.ratio(), RATE)
                        + range + causes(e);
        };
    }

    /** That clusters are the unit, and what more of them would change where nothing is decided. */
    static List<String> clusters(List<Effect> effects, Differences pairs, int number) {
        List<String> words = new ArrayList<>();
        words.add("The unit of the intervals is the cluster: each variant ran on " + number
                + ", so they cover how clusters of one build differ.");
        for (Effect e : effects) {
            if (e.metric().equals(Metrics.PRIMARY)
                    && e.verdict().equals(EffectJudge.UNDECIDED)
                    && pairs.logRatio(e.variant(), e.metric()).orElse(null) instanceof ClusterMeans means) {
                Spread spread = means.spread();
                double each = (double) means.size() / spread.clusters();
                double now = Math.log(e.high() / e.low()) / 2;
                double then = now
                        * spread.halfWidth(2 * spread.clusters(), each, 0.95)
                        / spread.halfWidth(spread.clusters(), each, 0.95);
                words.add(Rounded.format(
                        "Twice as many clusters would narrow the interval of %s from about plus or minus %.1f%% to %.1f%%.",
                        e.variant(), 100 * Math.expm1(now), 100 * Math.expm1(then)));
            }
        }
        return words;
    }

    /** Why a comparison ended before its intervals were as narrow as requested. */
    static String outOfReach(double until, int clusters, int needed) {
        return "On " + clusters
                + " clusters of each variant, no number of rounds makes the intervals as narrow as plus or"
                + " minus " + Percent.text(until) + ": "
                + (needed == Integer.MAX_VALUE
                        ? "they differ too much."
                        : "about " + needed + " clusters would be needed.");
    }

    private static String causes(Effect e) {
        return e.causes().isEmpty() ? "." : ". Possible causes: " + String.join("; ", Remark.texts(e.causes())) + ".";
    }

    private static String more(Effect e) {
        if (e.secondsToDecide() != null && e.clustersToDecide() != null) {
            return "; " + e.clustersToDecide() + " clusters of each variant (about " + duration(e.secondsToDecide())
                    + " more) would decide it if the difference is as measured";
        }
        return e.secondsToDecide() == null
                ? ""
                : "; about " + duration(e.secondsToDecide()) + " more would decide it if the difference is as measured";
    }

    /** A duration such as {@code 45 s}, {@code 12 min} or {@code 3.5 h}. */
    public static String duration(double seconds) {
        if (seconds < 120) {
            return Math.round(seconds) + " s";
        }
        return seconds < 7200 ? Math.round(seconds / 60) + " min" : Rounded.format("%.1f h", seconds / 3600);
    }

    /** The common change of all variants over the rounds; null if there are too few rounds. */
    static @Nullable Drift drift(double[] levels) {
        if (levels.length < MIN_ROUNDS_OF_DRIFT) {
            return null;
        }
        Interval slope = Line.slope(levels, 0.95).exp();
        String words = slope.excludes(1)
                ? Rounded.format(
                        "Throughput of all variants %s (%s per round, %s in total), so the server or the machine"
                                + " changed during the comparison. Ratios within a round are not affected.",
                        slope.value() > 1 ? "rose" : "fell",
                        Rounded.change(slope.value()),
                        Rounded.change(Math.pow(slope.value(), levels.length - 1.0)))
                : "No drift over the rounds is visible.";
        return new Drift(slope.value(), slope.low(), slope.high(), words);
    }
}
