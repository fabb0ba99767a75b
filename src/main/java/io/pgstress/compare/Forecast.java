package io.pgstress.compare;

import io.pgstress.compare.statistics.ClusterMeans;
import io.pgstress.compare.statistics.ClusterMeans.Spread;
import io.pgstress.compare.statistics.Difference;
import io.pgstress.compare.statistics.Power;
import io.pgstress.compare.statistics.Sample;
import io.pgstress.plan.RunSpec;
import io.pgstress.plan.option.Percent;
import io.pgstress.plan.scenario.Scenario;
import io.pgstress.plan.scenario.Scenario.Effort;
import io.pgstress.plan.scenario.Scenario.Variant;
import io.pgstress.plan.scenario.Scenario.Workload;
import io.pgstress.plan.server.ServerRequest;
import io.pgstress.result.Comparison;
import io.pgstress.text.Counted;
import io.pgstress.text.Rounded;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;

/** What a comparison would run, how long it would take and what it could detect: the output of {@code --dry-run}. */
public final class Forecast {
    /** Assumed standard deviations of a pair: a quiet machine, an ordinary one, and two noisy ones. */
    private static final double[] ASSUMED = {0.02, 0.05, 0.10, 0.20};

    private static final double[] DIFFERENCES = {0.01, 0.02, 0.03, 0.05, 0.10};

    /** Time per block for connecting, resetting and draining, in addition to warm-up and measurement. */
    private static final double OVERHEAD_SECONDS = 0.5;

    /** Assumed if the precision decides. */
    private static final double ROUNDS_PER_CLUSTER = 4;

    private Forecast() {}

    /** Time to make a database cluster and to load the sample. */
    private static final double CLUSTER_SECONDS = 6;

    /**
     * The lines.
     *
     * @param spreads standard deviations of a pair's log ratio, by description; empty: typical values are assumed. With several clusters
     *     of each variant, a pair is one of clusters
     * @param ofClusters instead, for several clusters of each variant; may be empty
     */
    public static List<String> lines(Scenario scenario, Map<String, Double> spreads, Map<String, Spread> ofClusters) {
        List<String> lines = new ArrayList<>();
        Effort effort = scenario.effort();
        double making = effort.clusters() == 0 ? 0 : servers(scenario).size() * CLUSTER_SECONDS;
        for (Workload workload : scenario.workloads()) {
            double round = secondsOfRound(workload);
            lines.add((workload.name().isEmpty() ? "" : "workload " + workload.name() + ": ")
                    + variants(workload.variants().size()) + ", one round takes about "
                    + VerdictText.duration(round));
            variants(workload, scenario.baseline(), lines);
            if (Evaluation.haveRates(workload)) {
                lines.add("  the mean response time decides, because the rate is given");
            }
            BlockOrder order = new BlockOrder(workload.variants().size(), effort.seed());
            lines.add("  order of the first round: "
                    + String.join(
                            ", ",
                            order.round(0).stream()
                                    .map(i -> workload.variants().get(i).name())
                                    .toList()));
            if (effort.clusters() > 0) {
                lines.add("  " + Counted.of(effort.clusters(), "cluster") + " of each variant, made in about "
                        + VerdictText.duration(making)
                        + (effort.clusters() == 1 ? "" : ": each round takes one of each, in turn"));
            }
            if (effort.isUntil()) {
                lines.add(
                        "  until the intervals are within plus or minus " + Percent.text(effort.until()) + ", at most "
                                + VerdictText.duration((double) effort.maxTime().toSeconds()));
            } else {
                lines.add("  " + Counted.of(effort.rounds(), "round") + ": about "
                        + VerdictText.duration(making
                                + Math.min((effort.rounds() + Math.max(1, effort.clusters())) * round, (double)
                                        effort.maxTime().toSeconds())));
            }
            if (effort.clusters() > 1 && workload.variants().size() > 1) {
                clusterPower(workload, effort, round, spreads, ofClusters, lines);
            } else {
                power(workload, effort, round, spreads, lines);
            }
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

    /** The servers that are started for the variants, with all their clusters. */
    public static List<ServerRequest> servers(Scenario scenario) {
        return scenario.workloads().stream()
                .flatMap(w -> w.variants().stream())
                .flatMap(v -> IntStream.rangeClosed(
                                1, Math.max(1, scenario.effort().clusters()))
                        .mapToObj(cluster -> v.spec().withCluster(cluster).server()))
                .filter(server -> !server.isEmbedded())
                .distinct()
                .toList();
    }

    private static void clusterPower(
            Workload workload,
            Effort effort,
            double round,
            Map<String, Double> spreads,
            Map<String, Spread> ofClusters,
            List<String> lines) {
        Map<String, Spread> all = new LinkedHashMap<>(ofClusters);
        if (ofClusters.isEmpty()) {
            spreads.forEach((what, deviation) -> all.put(text(what, deviation), Spread.ofClusters(deviation)));
        }
        if (all.isEmpty()) {
            for (double assumed : ASSUMED) {
                all.put(text("assumed", assumed), Spread.ofClusters(assumed));
            }
        }
        double confidence = 1 - 0.05 / (workload.variants().size() - 1);
        double roundsEach =
                effort.isUntil() ? ROUNDS_PER_CLUSTER : Math.max(1, (double) effort.rounds() / effort.clusters());
        double ofCluster = workload.variants().size() * CLUSTER_SECONDS + round;
        all.forEach((what, spread) -> {
            StringBuilder line = new StringBuilder("  " + what + ": ");
            line.append(Rounded.format(
                    "%d clusters detect a difference of %.1f%% in 80%% of comparisons; ",
                    effort.clusters(), 100 * Math.expm1(spread.detectable(effort.clusters(), roundsEach, confidence))));
            if (effort.isUntil()) {
                line.append(Percent.text(effort.until()))
                        .append(" on each side needs ")
                        .append(clusters(
                                spread.clustersToNarrow(Math.log1p(effort.until()), roundsEach, confidence),
                                roundsEach * round + ofCluster))
                        .append("; ");
            }
            List<String> needed = new ArrayList<>();
            for (double difference : DIFFERENCES) {
                needed.add(Percent.text(difference) + " needs "
                        + clusters(
                                spread.clustersToFind(Math.log1p(difference), roundsEach, confidence),
                                roundsEach * round + ofCluster));
            }
            line.append(String.join("; ", needed));
            int best = spread.bestRounds(ofCluster, round);
            if (best > 0) {
                line.append("; best with ").append(Counted.of(best, "round")).append(" per cluster");
            }
            lines.add(line.toString());
        });
    }

    private static String text(String what, double deviation) {
        return Rounded.format("spread of a pair of clusters %.1f%% (%s)", deviation * 100, what);
    }

    private static String clusters(int number, double secondsEach) {
        return number == 0
                ? "more than " + Spread.MAX_CLUSTERS + " clusters"
                : Counted.of(number, "cluster") + ", " + VerdictText.duration(number * secondsEach);
    }

    /**
     * The metric whose spread counts: the mean response time if it decides in the comparison to come, or did in the earlier one. The rate of an
     * open loop hardly varies.
     */
    private static String deciding(Scenario scenario, Comparison earlier) {
        return earlier.primary().equals(Metrics.PRIMARY_OF_OPEN)
                        || scenario.workloads().stream().anyMatch(Evaluation::haveRates)
                ? Metrics.PRIMARY_OF_OPEN
                : Metrics.PRIMARY;
    }

    /**
     * How clusters and rounds differ in an earlier comparison, at the upper bounds, by variant; empty if it had one cluster of each.
     *
     * @param scenario the comparison to come
     */
    public static Map<String, Spread> clusterSpreads(Scenario scenario, Comparison earlier) {
        Map<String, Spread> spreads = new LinkedHashMap<>();
        differences(deciding(scenario, earlier), earlier).forEach((variant, difference) -> {
            if (difference instanceof ClusterMeans means) {
                Spread spread = means.upperSpread();
                spreads.put(
                        Rounded.format(
                                "spread of a pair of clusters %.1f%%, of a round on them %.1f%% (recorded for %s)",
                                100 * Math.sqrt(spread.between()), 100 * Math.sqrt(spread.noise()), variant),
                        spread);
            }
        });
        return spreads;
    }

    /**
     * The spreads of pairs in an earlier comparison, at their upper bounds, by variant, of the metric that decides.
     *
     * @param scenario the comparison to come
     */
    public static Map<String, Double> spreads(Scenario scenario, Comparison earlier) {
        Map<String, Double> spreads = new LinkedHashMap<>();
        differences(deciding(scenario, earlier), earlier).forEach((variant, difference) -> {
            if (difference instanceof Sample pairs) {
                spreads.put("recorded for " + variant, Power.upperDeviation(pairs));
            }
        });
        return spreads;
    }

    private static Map<String, Difference> differences(String metric, Comparison earlier) {
        Map<String, Difference> differences = new LinkedHashMap<>();
        List<MeasuredBlock> blocks = earlier.blocks().stream()
                .map(b -> new MeasuredBlock(
                        b.round() - 1,
                        b.variant(),
                        Objects.requireNonNullElse(b.cluster(), 0),
                        0,
                        b.seconds(),
                        b.errors(),
                        figures(b),
                        null))
                .toList();
        BlockPairs pairs = new BlockPairs(blocks, earlier.baseline());
        for (Comparison.Variant variant : earlier.variants()) {
            if (!variant.name().equals(earlier.baseline())) {
                pairs.logRatio(variant.name(), metric).ifPresent(d -> differences.put(variant.name(), d));
            }
        }
        return differences;
    }

    /** What the metrics that can decide are in a block, as far as known. */
    private static Map<String, Double> figures(Comparison.Block block) {
        Map<String, Double> figures = new HashMap<>();
        figures.put(Metrics.PRIMARY, block.opsPerSecond());
        figures.put(Metrics.PRIMARY_OF_OPEN, Objects.requireNonNullElse(block.meanMicros(), 0.0));
        figures.values().removeIf(value -> value <= 0);
        return figures;
    }
}
