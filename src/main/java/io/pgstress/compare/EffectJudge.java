package io.pgstress.compare;

import io.pgstress.compare.statistics.ClusterMeans;
import io.pgstress.compare.statistics.ClusterMeans.Spread;
import io.pgstress.compare.statistics.Difference;
import io.pgstress.compare.statistics.Holm;
import io.pgstress.compare.statistics.Interval;
import io.pgstress.compare.statistics.Power;
import io.pgstress.compare.statistics.Sample;
import io.pgstress.compare.statistics.StoppingRule;
import io.pgstress.plan.scenario.Scenario.Effort;
import io.pgstress.result.Comparison.Effect;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Judges paired blocks by the rules of {@code docs/dev/comparison-method.md}. The comparisons of the primary metric form one
 * family, all others a second one; each family is adjusted for its size. Immutable.
 */
final class EffectJudge {
    static final String FASTER = "faster";
    static final String SLOWER = "slower";
    static final String SAME = "same";
    static final String UNDECIDED = "undecided";

    private static final double LONGEST_SECONDS = 7 * 86_400.0;

    private final Effort effort;
    private final double confidence;
    private final StoppingRule rule;
    private final String primary;

    /** @param primary the metric that decides */
    EffectJudge(Effort effort, String primary) {
        this.effort = effort;
        this.primary = primary;
        this.confidence = effort.isUntil() ? StoppingRule.CONFIDENCE : 0.95;
        this.rule = new StoppingRule(Math.log1p(effort.until()));
    }

    /** A comparison without its verdict. */
    private record Open(String variant, String metric, Difference pairs) {}

    private double confidenceOfEach(List<String> variants) {
        return 1 - (1 - confidence) / Math.max(1, variants.size());
    }

    /**
     * The number of database clusters of each variant that intervals as narrow as requested would need, if the present ones are too few
     * for any number of rounds; otherwise empty.
     */
    OptionalInt clustersBeyondReach(Differences pairs, List<String> variants) {
        double each = confidenceOfEach(variants);
        double wanted = Math.log1p(effort.until());
        return variants.stream()
                .flatMap(v -> pairs.logRatio(v, primary).stream())
                .filter(ClusterMeans.class::isInstance)
                .map(ClusterMeans.class::cast)
                .filter(c -> c.spread().halfWidth(c.spread().clusters(), Double.POSITIVE_INFINITY, each) > wanted)
                .mapToInt(c -> c.spread().clustersToNarrow(wanted, roundsPerCluster(c), each))
                .map(needed -> needed == 0 ? Integer.MAX_VALUE : needed)
                .max();
    }

    private static double roundsPerCluster(ClusterMeans means) {
        return (double) means.size() / means.spread().clusters();
    }

    /** Whether every variant's interval is as narrow as requested. */
    boolean isEnough(Differences pairs, List<String> variants) {
        double each = confidenceOfEach(variants);
        return !variants.isEmpty()
                && variants.stream()
                        .allMatch(v -> pairs.logRatio(v, primary)
                                .filter(p -> rule.isEnough(p, each))
                                .isPresent());
    }

    /**
     * All effects, by variant and metric.
     *
     * @param variants the variants other than the baseline
     * @param causes explains why a variant differs, as far as known
     */
    List<Effect> effects(
            Differences pairs, List<String> variants, double secondsPerRound, Function<String, List<Remark>> causes) {
        List<Open> deciding = new ArrayList<>();
        List<Open> others = new ArrayList<>();
        for (String variant : variants) {
            for (String metric : Metrics.ALL) {
                pairs.logRatio(variant, metric)
                        .ifPresent(p -> (metric.equals(primary) ? deciding : others).add(new Open(variant, metric, p)));
            }
        }
        List<Effect> all = new ArrayList<>();
        judge(deciding, secondsPerRound, causes, all);
        judge(others, secondsPerRound, causes, all);
        all.sort(java.util.Comparator.<Effect>comparingInt(e -> variants.indexOf(e.variant()))
                .thenComparing(e -> !e.metric().equals(primary))
                .thenComparingInt(e -> Metrics.ALL.indexOf(e.metric())));
        return all;
    }

    private void judge(
            List<Open> family, double secondsPerRound, Function<String, List<Remark>> causes, List<Effect> into) {
        double[] p = family.stream().mapToDouble(o -> o.pairs().pValue()).toArray();
        double[] confidences = Holm.confidences(p, confidence);
        for (int i = 0; i < p.length; i++) {
            Open open = family.get(i);
            Interval ratio = open.pairs().interval(confidences[i]).exp();
            String verdict = verdict(open.metric(), ratio, open.pairs().size());
            Outlook outlook = verdict.equals(UNDECIDED)
                    ? outlook(open.pairs(), ratio, confidences[i], secondsPerRound)
                    : Outlook.NONE;
            into.add(new Effect(
                    open.variant(),
                    open.metric(),
                    ratio.value(),
                    ratio.low(),
                    ratio.high(),
                    verdict,
                    open.pairs().size(),
                    outlook.clusters,
                    outlook.seconds,
                    open.metric().equals(primary) ? causesOf(verdict, causes.apply(open.variant())) : List.of()));
        }
    }

    /** All causes of a difference that was found; otherwise only different plans, which are facts without it too. */
    private static List<Remark> causesOf(String verdict, List<Remark> all) {
        return verdict.equals(FASTER) || verdict.equals(SLOWER)
                ? all
                : all.stream()
                        .filter(cause -> cause.code() == RemarkCode.CAUSE_PLANS)
                        .toList();
    }

    private String verdict(String metric, Interval ratio, int rounds) {
        if (rounds < StoppingRule.FIRST_LOOK) {
            return UNDECIDED;
        }
        if (effort.margin() > 0 && ratio.isWithin(1 / (1 + effort.margin()), 1 + effort.margin())) {
            return SAME;
        }
        if (!ratio.excludes(1)) {
            return UNDECIDED;
        }
        return ratio.value() > 1 == Metrics.isRate(metric) ? FASTER : SLOWER;
    }

    /**
     * What is needed until a verdict. With a margin: until the interval is narrower than the margin, so that it cannot contain
     * both no difference and a relevant one. Without: until a difference of 2%, or the one seen now if it is larger, is detected with a
     * power of 80%; nothing is needed if it would have been. If the interval shows a difference already, only until there are enough
     * rounds.
     */
    private Outlook outlook(Difference difference, Interval ratio, double atConfidence, double secondsPerRound) {
        if (!(difference instanceof Sample || difference instanceof ClusterMeans)) {
            return Outlook.NONE;
        }
        if (ratio.excludes(1)) {
            return new Outlook(null, (StoppingRule.FIRST_LOOK - difference.size()) * secondsPerRound);
        }
        return difference instanceof Sample pairs
                ? outlook(pairs, atConfidence, secondsPerRound)
                : outlook((ClusterMeans) difference, atConfidence, secondsPerRound);
    }

    private Outlook outlook(Sample pairs, double atConfidence, double secondsPerRound) {
        double spread = Power.upperDeviation(pairs);
        int needed = effort.margin() > 0
                ? Power.pairsToNarrow(wanted(pairs.mean()), spread, atConfidence)
                : Power.pairsToFind(wanted(pairs.mean()), spread, atConfidence);
        return new Outlook(null, (Math.max(StoppingRule.FIRST_LOOK, needed) - pairs.size()) * secondsPerRound);
    }

    /** The half width that an interval needs, or without a margin, the difference that is to be found. */
    private double wanted(double difference) {
        return effort.margin() > 0
                ? Math.log1p(effort.margin()) / 2
                : Math.max(Math.log1p(Effect.RESOLUTION), Math.abs(difference));
    }

    /** Either more rounds on the present clusters, or as many rounds on each of more clusters, whichever is sooner. */
    private Outlook outlook(ClusterMeans means, double atConfidence, double secondsPerRound) {
        Spread spread = means.upperSpread();
        double each = roundsPerCluster(means);
        double wanted = wanted(means.mean());
        int clusters = effort.margin() > 0
                ? spread.clustersToNarrow(wanted, each, atConfidence)
                : spread.clustersToFind(wanted, each, atConfidence);
        double more = Math.max(0, clusters - spread.clusters()) * each;
        for (double rounds = each; rounds * spread.clusters() <= means.size() + more; rounds += 1) {
            double reached = effort.margin() > 0
                    ? spread.halfWidth(spread.clusters(), rounds, atConfidence)
                    : spread.detectable(spread.clusters(), rounds, atConfidence);
            if (reached <= wanted) {
                double needed = Math.max(StoppingRule.FIRST_LOOK, rounds * spread.clusters());
                return new Outlook(null, (needed - means.size()) * secondsPerRound);
            }
        }
        return clusters == 0 ? Outlook.NONE : new Outlook(clusters, more * secondsPerRound);
    }

    /** The number of clusters of each variant, and the further time, that would probably give a verdict; null: unknown, or not needed. */
    private static final class Outlook {
        private static final Outlook NONE = new Outlook(null, null);

        private final @Nullable Integer clusters;
        private final @Nullable Double seconds;

        Outlook(@Nullable Integer clusters, @Nullable Double seconds) {
            boolean isKnown = seconds != null && seconds > 0 && seconds <= LONGEST_SECONDS;
            this.clusters = isKnown ? clusters : null;
            this.seconds = isKnown ? seconds : null;
        }
    }

    /** The variants' figures compared with the baseline. */
    interface Differences {
        /** The logarithm of a variant's ratio to the baseline for a metric; empty if unknown. */
        Optional<? extends Difference> logRatio(String variant, String metric);
    }
}
