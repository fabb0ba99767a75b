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
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Verdicts and drift as sentences. */
public final class VerdictText {
    private static final int MIN_ROUNDS_OF_DRIFT = 5;
    private static final double DRIFT_CONFIDENCE = 0.95;

    private VerdictText() {}

    /** One sentence per variant, about the primary metric. */
    static List<String> verdicts(
            List<Effect> effects, String primary, String baseline, List<String> variants, double margin, int rounds) {
        List<String> words = new ArrayList<>();
        for (Effect e : effects) {
            if (e.metric().equals(primary)) {
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
                    .filter(e -> e.metric().equals(primary))
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
        String words = e.words(baseline, Percent.text(margin));
        String change = Rounded.change(e.ratio(), Metrics.words(e.metric()));
        return switch (e.verdict()) {
            case EffectJudge.SAME -> words + range + causes(e);
            case EffectJudge.UNDECIDED -> words + ": " + change + range + more(e, margin) + causes(e);
            default -> words + ": " + change + range + causes(e);
        };
    }

    /** That clusters are the unit, and what more of them would change where nothing is decided. */
    static List<String> clusters(List<Effect> effects, String primary, Differences pairs, int number) {
        List<String> words = new ArrayList<>();
        words.add("The unit of the intervals is the cluster: each variant ran on " + number
                + ", so they cover how clusters of one build differ.");
        for (Effect e : effects) {
            if (e.metric().equals(primary)
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

    private static String more(Effect e, double margin) {
        if (e.secondsToDecide() == null) {
            return e.isWithinResolution(margin) ? "; they differ by less than " + Percent.text(Effect.RESOLUTION) : "";
        }
        String what = e.isForResolution(margin)
                ? "find a difference of " + Percent.text(Effect.RESOLUTION)
                : "decide it if the difference is as measured";
        return e.clustersToDecide() == null
                ? "; about " + duration(e.secondsToDecide()) + " more would " + what
                : "; " + e.clustersToDecide() + " clusters of each variant (about " + duration(e.secondsToDecide())
                        + " more) would " + what;
    }

    /** A duration such as {@code 45 s}, {@code 12 min} or {@code 3.5 h}. */
    public static String duration(double seconds) {
        if (seconds < 120) {
            return Math.round(seconds) + " s";
        }
        return seconds < 7200 ? Math.round(seconds / 60) + " min" : Rounded.format("%.1f h", seconds / 3600);
    }

    /**
     * The change of all variants together over the rounds, and whether all of them changed alike; null if there are too few rounds.
     *
     * @param levels the logarithms of the rates, one per round, by variant
     * @param isPaired whether the variants are compared with each other, and not with an earlier result
     */
    static @Nullable Drift drift(Map<String, double[]> levels, boolean isPaired) {
        int rounds = levels.values().stream().mapToInt(l -> l.length).min().orElse(0);
        if (rounds < MIN_ROUNDS_OF_DRIFT) {
            return null;
        }
        double[] mean = IntStream.range(0, rounds)
                .mapToDouble(round -> levels.values().stream()
                        .mapToDouble(l -> l[round])
                        .average()
                        .orElseThrow())
                .toArray();
        Interval slope = Line.slope(mean, DRIFT_CONFIDENCE);
        boolean isAlike = areAlike(levels, mean);
        Map<String, Double> changes = new LinkedHashMap<>();
        levels.forEach((variant, own) -> changes.put(variant, change(own)));
        Interval perRound = slope.exp();
        return new Drift(
                perRound.value(),
                perRound.low(),
                perRound.high(),
                isAlike,
                changes,
                isAlike ? common(mean, slope, levels.size(), isPaired) : apart(changes, rounds));
    }

    /** Whether no variant's distance from the mean of all has a slope; several variants together err no more often than one. */
    private static boolean areAlike(Map<String, double[]> levels, double[] mean) {
        int variants = levels.size();
        if (variants == 1) {
            return true;
        }
        int tests = variants == 2 ? 1 : variants; // the distances of two are the same
        return levels.values().stream()
                .map(own -> IntStream.range(0, mean.length)
                        .mapToDouble(round -> own[round] - mean[round])
                        .toArray())
                .noneMatch(distance ->
                        Line.slope(distance, 1 - (1 - DRIFT_CONFIDENCE) / tests).excludes(0));
    }

    private static String common(double[] mean, Interval slope, int variants, boolean isPaired) {
        if (!slope.excludes(0)) {
            int steps = mean.length - 1;
            return "No drift over the rounds is visible (" + Rounded.change(Math.exp(slope.low() * steps)) + " to "
                    + Rounded.change(Math.exp(slope.high() * steps)) + " in total).";
        }
        return "Throughput" + (variants > 1 ? " of all variants" : "") + " changed by " + Rounded.change(change(mean))
                + " " + ends(mean.length) + ", so the client, the server or the machine changed during the comparison. "
                + (isPaired
                        ? "Each round has a block of every variant, in balanced order, so the ratios hardly depend on it."
                        : "The ratio to the earlier result depends on it.");
    }

    private static String apart(Map<String, Double> changes, int rounds) {
        return changes.entrySet().stream()
                .map(change -> change.getKey() + " " + Rounded.change(change.getValue()))
                .collect(Collectors.joining(
                        ", ",
                        "Throughput of the variants changed differently " + ends(rounds) + " (",
                        "), so their ratio depends on when it is measured."));
    }

    /** The number of rounds at each end whose mean is taken: a line through all rounds would overstate a step. */
    private static int roundsAtEnd(int rounds) {
        return Math.max(2, rounds / 3);
    }

    private static String ends(int rounds) {
        return "from the first " + roundsAtEnd(rounds) + " rounds to the last " + roundsAtEnd(rounds);
    }

    private static double change(double[] levels) {
        int ends = roundsAtEnd(levels.length);
        double first = Arrays.stream(levels).limit(ends).average().orElseThrow();
        double last = Arrays.stream(levels).skip(levels.length - ends).average().orElseThrow();
        return Math.exp(last - first);
    }
}
