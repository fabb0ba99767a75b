package io.pgstress.result;

import io.pgstress.machine.MachineProfile;
import io.pgstress.text.Counted;
import io.pgstress.text.Inline;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The result of a comparison of variants. Ratios are those of a variant to the baseline. Each verdict is based on the interval;
 * for metrics other than the primary one, the interval is adjusted for the number of comparisons.
 *
 * @param kind {@value #KIND}, which distinguishes its JSON from the JSON of a run
 * @param baseline the variant that the others are compared with
 * @param primary the metric that decides: {@code opsPerSecond}, or {@code mean} (the mean response time) if all variants have a target rate
 * @param confidence of the intervals, e.g. 0.95
 * @param margin differences up to this count as the same, e.g. 0.02
 * @param clusters number of database clusters of each variant, which are the unit of the intervals if there are several; null if
 *     no servers were started for the variants
 * @param variants the baseline first
 * @param effects by variant, then by metric, the primary one first
 * @param blocks in the order in which they ran
 * @param limits the limits, and whether they are broken
 * @param verdict the conclusions, one sentence each
 * @param machines the machines of all variants, the client's included, with their {@code environment} and without load
 */
public record Comparison(
        @Inline Header header,
        String kind,
        String baseline,
        String primary,
        double confidence,
        double margin,
        @Nullable Integer clusters,
        List<Variant> variants,
        List<Effect> effects,
        List<Block> blocks,
        @Nullable Drift drift,
        List<LimitCheck> limits,
        List<String> verdict,
        @Inline Validity validity,
        List<MachineProfile> machines)
        implements Result {
    public static final int SCHEMA = 1;
    public static final String KIND = "comparison";

    /** The fact of a variant that is its WAL, in bytes. */
    public static final String WAL_PER_OPERATION = "statementsWalBytesPerOperation";

    /**
     * A variant, over all of its blocks.
     *
     * @param options its options that differ from those of other variants, by name
     * @param operations the sums over all blocks
     * @param facts figures that may explain a difference, such as round trips, bytes and waits; the unit is in the name
     * @param machines the load of the machines as medians over the blocks, without {@code environment} and samples
     * @param bottleneck which machine was the limit by these medians, or that none was: causes of what was full, and notes; empty if unknown
     */
    public record Variant(
            String name,
            Map<String, String> options,
            int blocks,
            double opsPerSecond,
            Map<String, OperationResult> operations,
            Map<String, Double> facts,
            List<MachineProfile> machines,
            List<Remark> bottleneck) {
        public Variant {
            bottleneck = Objects.requireNonNullElse(bottleneck, List.of());
        }
    }

    /**
     * A metric of a variant compared with the baseline.
     *
     * @param metric {@code opsPerSecond}, or a time such as {@code p99}
     * @param verdict {@code faster}, {@code slower}, {@code same} (within the margin) or {@code undecided}
     * @param rounds number of pairs compared
     * @param clustersToDecide estimated number of clusters of each variant until it is decided; null if it is decided, the present ones
     *     suffice, or it cannot be estimated
     * @param secondsToDecide estimated additional time until it is decided; null if it is decided or cannot be estimated
     * @param causes why they differ, as far as known
     */
    public record Effect(
            String variant,
            String metric,
            double ratio,
            double low,
            double high,
            String verdict,
            int rounds,
            @Nullable Integer clustersToDecide,
            @Nullable Double secondsToDecide,
            List<Remark> causes) {
        /** Smaller differences are not looked for, unless there is a margin. */
        public static final double RESOLUTION = 0.02;

        public Effect {
            causes = Objects.requireNonNullElse(causes, List.of());
        }

        /** A copy that does not say what would decide it. */
        public Effect withoutOutlook() {
            return new Effect(variant, metric, ratio, low, high, verdict, rounds, null, null, causes);
        }

        /**
         * The verdict in a few words, the same in all reports: {@code b is slower than a}.
         *
         * @param margin as text: {@code 2%}
         */
        public String words(String baselineName, String margin) {
            return switch (verdict) {
                case "faster", "slower" -> variant + " is " + verdict + " than " + baselineName;
                case "same" -> variant + " is the same as " + baselineName + " within " + margin;
                default ->
                    variant + " compared with " + baselineName + " is undecided after " + Counted.of(rounds, "round");
            };
        }

        /** Whether the estimated time is that until a difference of {@link #RESOLUTION} would be found, because the present one is smaller. */
        public boolean isForResolution(double margin) {
            return margin == 0 && Math.abs(Math.log(ratio)) < Math.log1p(RESOLUTION);
        }

        /** Whether all that is known of an undecided difference is that it is smaller than {@link #RESOLUTION}. */
        public boolean isWithinResolution(double margin) {
            return verdict.equals("undecided") && margin == 0 && low >= 1 / (1 + RESOLUTION) && high <= 1 + RESOLUTION;
        }
    }

    /**
     * One run of a variant.
     *
     * @param cluster the number of the variant's database cluster, from 1; null if variants share servers, or each has its own that is named
     * @param atSeconds since the start of the comparison
     * @param meanMicros mean time, of an open loop the response time; null if it is of too few operations
     */
    public record Block(
            int round,
            String variant,
            @Nullable Integer cluster,
            double atSeconds,
            double seconds,
            double opsPerSecond,
            @Nullable Double meanMicros,
            double p50Micros,
            double p99Micros,
            long errors) {}

    @Override
    public boolean exceedsLimit() {
        return limits.stream().anyMatch(LimitCheck::broken);
    }

    /**
     * The change of all variants together over time: the mean ratio from one round to the next, with its interval.
     *
     * @param alike whether all variants changed alike, as far as that is visible; null in a result of an earlier version
     * @param changes the ratio of the last third of the rounds to the first third, by variant
     */
    public record Drift(
            double ratioPerRound,
            double low,
            double high,
            @Nullable Boolean alike,
            Map<String, Double> changes,
            String words) {
        public Drift {
            changes = Objects.requireNonNullElse(changes, Map.of());
        }
    }

    /** A limit such as {@code p99>+5%}; it could be checked or not, because there were too few operations or rounds. */
    public record LimitCheck(String limit, String variant, boolean checked, boolean broken, String words) {}
}
