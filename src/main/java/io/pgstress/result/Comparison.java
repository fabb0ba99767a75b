package io.pgstress.result;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a comparison of variants found. Ratios are of a variant to the baseline; the interval is the one that the verdict
 * goes by, adjusted for the number of comparisons where it is not the primary metric's.
 *
 * @param kind {@value #KIND}, which tells its JSON from a run's
 * @param baseline the variant that the others are compared with
 * @param primary the metric named beforehand, {@code opsPerSecond}
 * @param confidence of the intervals, e.g. 0.95
 * @param margin within which variants count as the same, e.g. 0.02
 * @param variants the baseline first
 * @param effects by variant, then by metric, the primary one first
 * @param blocks in the order in which they ran
 * @param limits what was to fail the comparison, and whether it does
 * @param verdict in words, a sentence each
 * @param reasons why the figures may not be used, the gravest first
 */
public record Comparison(
        int schema,
        String kind,
        ToolInfo tool,
        RunInfo run,
        ClientInfo client,
        List<ServerInfo> servers,
        DatasetInfo dataset,
        String baseline,
        String primary,
        double confidence,
        double margin,
        List<Variant> variants,
        List<Effect> effects,
        List<Block> blocks,
        @Nullable Drift drift,
        List<LimitCheck> limits,
        List<String> verdict,
        boolean valid,
        List<String> reasons,
        List<String> warnings)
        implements Result {
    public static final int SCHEMA = 1;
    public static final String KIND = "comparison";

    public Comparison {
        reasons = Objects.requireNonNullElse(reasons, List.of()); // older results do not have it
    }

    /**
     * A variant over all its blocks.
     *
     * @param options what it has that others have not, by option
     * @param operations all blocks added up
     * @param facts figures that may explain a difference, by name, with the unit in the name: round trips, bytes, waits
     */
    public record Variant(
            String name,
            Map<String, String> options,
            int blocks,
            double opsPerSecond,
            Map<String, OperationResult> operations,
            Map<String, Double> facts) {}

    /**
     * A metric of a variant against the baseline's.
     *
     * @param metric {@code opsPerSecond}, or a time such as {@code p99}
     * @param verdict {@code faster}, {@code slower}, {@code same} (within the margin) or {@code undecided}
     * @param rounds how many pairs it is made of
     * @param secondsToDecide how much longer it would take to tell; null where it is decided or cannot be said
     * @param cause why, where that is known
     */
    public record Effect(
            String variant,
            String metric,
            double ratio,
            double low,
            double high,
            String verdict,
            int rounds,
            @Nullable Double secondsToDecide,
            @Nullable String cause) {}

    /** One run of a variant; {@code atSeconds} since the start of the comparison. */
    public record Block(
            int round,
            String variant,
            double atSeconds,
            double seconds,
            double opsPerSecond,
            double p50Micros,
            double p99Micros,
            long errors) {}

    /** How all variants together changed over the rounds: the ratio from one round to the next, with its interval. */
    public record Drift(double ratioPerRound, double low, double high, String words) {}

    /** A limit such as {@code p99>+5%}. */
    public record LimitCheck(String limit, String variant, boolean broken, String words) {}
}
