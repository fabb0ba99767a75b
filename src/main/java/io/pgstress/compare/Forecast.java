package io.pgstress.compare;

import io.pgstress.compare.statistics.Power;
import io.pgstress.plan.RunSpec;
import io.pgstress.plan.option.Percent;
import io.pgstress.plan.scenario.Scenario;
import io.pgstress.plan.scenario.Scenario.Effort;
import io.pgstress.plan.scenario.Scenario.Variant;
import io.pgstress.plan.scenario.Scenario.Workload;
import io.pgstress.result.Comparison;
import io.pgstress.text.Counted;
import io.pgstress.text.Rounded;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a comparison would run, how long it would take and what it could detect: the output of {@code --dry-run}. */
public final class Forecast {
    /** Assumed standard deviations of a pair: a quiet machine, an ordinary one, and two noisy ones. */
    private static final double[] ASSUMED = {0.02, 0.05, 0.10, 0.20};

    private static final double[] DIFFERENCES = {0.01, 0.02, 0.03, 0.05, 0.10};

    /** Time per block for connecting, resetting and draining, in addition to warm-up and measurement. */
    private static final double OVERHEAD_SECONDS = 0.5;

    private Forecast() {}

    /** @param spreads standard deviations of a pair's log ratio, by description; empty: typical values are assumed */
    public static List<String> lines(Scenario scenario, Map<String, Double> spreads) {
        List<String> lines = new ArrayList<>();
        Effort effort = scenario.effort();
        for (Workload workload : scenario.workloads()) {
            double round = secondsOfRound(workload);
            lines.add((workload.name().isEmpty() ? "" : "workload " + workload.name() + ": ")
                    + variants(workload.variants().size()) + ", one round takes about "
                    + VerdictText.duration(round));
            variants(workload, scenario.baseline(), lines);
            BlockOrder order = new BlockOrder(workload.variants().size(), effort.seed());
            lines.add("  order of the first round: "
                    + String.join(
                            ", ",
                            order.round(0).stream()
                                    .map(i -> workload.variants().get(i).name())
                                    .toList()));
            if (effort.isUntil()) {
                lines.add(
                        "  until the intervals are within plus or minus " + Percent.text(effort.until()) + ", at most "
                                + VerdictText.duration((double) effort.maxTime().toSeconds()));
            } else {
                lines.add("  " + Counted.of(effort.rounds(), "round") + ": about "
                        + VerdictText.duration(Math.min((effort.rounds() + 1) * round, (double)
                                effort.maxTime().toSeconds())));
            }
            power(workload, effort, round, spreads, lines);
        }
        return lines;
    }

    private static void variants(Workload workload, String baseline, List<String> lines) {
        Map<String, Map<String, String>> differing = Evaluation.differing(workload);
        for (Variant variant : workload.variants()) {
            lines.add("  " + variant.name() + (variant.name().equals(baseline) ? " (baseline)" : "") + ": "
                    + variant.spec().mixLabel() + ", "
                    + Counted.of(variant.spec().load().clients(), "client")
                    + options(differing.getOrDefault(variant.name(), Map.of())));
        }
    }

    private static String variants(int number) {
        return number == 1 ? "1 variant: nothing to compare" : number + " variants";
    }

    private static String options(Map<String, String> differing) {
        StringBuilder words = new StringBuilder();
        differing.forEach(
                (option, value) -> words.append(", ").append(option).append('=').append(value));
        return words.toString();
    }

    private static double secondsOfRound(Workload workload) {
        double seconds = 0;
        for (Variant variant : workload.variants()) {
            RunSpec spec = variant.spec();
            seconds +=
                    (spec.phases().warmup().toNanos() + spec.phases().measure().toNanos()) / 1e9 + OVERHEAD_SECONDS;
        }
        return seconds;
    }

    private static void power(
            Workload workload, Effort effort, double round, Map<String, Double> spreads, List<String> lines) {
        int comparisons = workload.variants().size() - 1;
        if (comparisons == 0) {
            return;
        }
        double confidence = 1 - 0.05 / comparisons;
        if (spreads.isEmpty()) {
            for (double assumed : ASSUMED) {
                lines.add("  " + power(effort, round, confidence, "assumed", assumed));
            }
        }
        spreads.forEach((what, spread) -> lines.add("  " + power(effort, round, confidence, what, spread)));
    }

    private static String power(Effort effort, double round, double confidence, String what, double spread) {
        StringBuilder line = new StringBuilder(Rounded.format("spread of a pair %.1f%% (%s): ", spread * 100, what));
        if (!effort.isUntil()) {
            line.append(Rounded.format(
                    "%d rounds detect a difference of %.1f%% in 80%% of comparisons; ",
                    effort.rounds(),
                    100 * Math.expm1(Power.detectable(Math.max(2, effort.rounds()), spread, confidence))));
        }
        List<String> needed = new ArrayList<>();
        for (double difference : DIFFERENCES) {
            int rounds = Power.pairsToFind(Math.log1p(difference), spread, confidence);
            needed.add(
                    Percent.text(difference) + " needs " + rounds + " rounds, " + VerdictText.duration(rounds * round));
        }
        return line.append(String.join("; ", needed)).toString();
    }

    /** The spreads of pairs in an earlier comparison, at their upper bounds, by variant. */
    public static Map<String, Double> spreads(Comparison earlier) {
        Map<String, Double> spreads = new LinkedHashMap<>();
        List<MeasuredBlock> blocks = earlier.blocks().stream()
                .map(b -> new MeasuredBlock(
                        b.round() - 1,
                        b.variant(),
                        0,
                        b.seconds(),
                        b.errors(),
                        Map.of(Metrics.PRIMARY, b.opsPerSecond())))
                .toList();
        BlockPairs pairs = new BlockPairs(blocks, earlier.baseline());
        for (Comparison.Variant variant : earlier.variants()) {
            if (!variant.name().equals(earlier.baseline())) {
                pairs.logRatio(variant.name(), Metrics.PRIMARY)
                        .map(Power::upperDeviation)
                        .ifPresent(d -> spreads.put("recorded for " + variant.name(), d));
            }
        }
        return spreads;
    }
}
