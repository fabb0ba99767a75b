package io.pgstress.compare;

import io.pgstress.compare.EffectJudge.Differences;
import io.pgstress.compare.statistics.ClusterMeans;
import io.pgstress.compare.statistics.Difference;
import io.pgstress.compare.statistics.Sample;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;

/** Pairs each block of a variant with the baseline's block of the same round. Immutable. */
final class BlockPairs implements Differences {
    /** The minimum share of rounds that need figures. */
    static final double MIN_KNOWN = 0.9;

    private final Map<String, Map<Integer, MeasuredBlock>> byVariant = new HashMap<>();
    private final String baseline;
    private final int rounds;

    BlockPairs(List<MeasuredBlock> blocks, String baseline) {
        this.baseline = baseline;
        blocks.forEach(b ->
                byVariant.computeIfAbsent(b.variant(), v -> new HashMap<>()).put(b.round(), b));
        this.rounds = blocks.stream().mapToInt(b -> b.round() + 1).max().orElse(0);
    }

    /**
     * The logarithms of a metric's ratio to the baseline, one per round; empty if fewer than 2 rounds have both figures, or
     * if more than a tenth of the rounds lack one. With several database clusters on each side, these are the unit.
     */
    @Override
    public Optional<Difference> logRatio(String variant, String metric) {
        List<Double> ratios = new ArrayList<>();
        List<Integer> squares = new ArrayList<>();
        List<Integer> own = new ArrayList<>();
        List<Integer> other = new ArrayList<>();
        BlockOrder order = new BlockOrder(byVariant.size(), 0);
        for (int round = 0; round < rounds; round++) {
            Double of = metric(variant, round, metric);
            Double to = metric(baseline, round, metric);
            if (of != null && to != null) {
                ratios.add(Math.log(of / to));
                squares.add(order.square(round));
                own.add(cluster(variant, round));
                other.add(cluster(baseline, round));
            }
        }
        if (ratios.size() < 2 || ratios.size() < MIN_KNOWN * rounds) {
            return Optional.empty();
        }
        double[] values = ratios.stream().mapToDouble(r -> r).toArray();
        return Optional.of(
                isSeveral(own) && isSeveral(other)
                        ? new ClusterMeans(values, array(own), array(other))
                        : Sample.inGroups(values, array(squares)));
    }

    private static boolean isSeveral(List<Integer> clusters) {
        return clusters.stream().distinct().count() > 1;
    }

    private static int[] array(List<Integer> numbers) {
        return numbers.stream().mapToInt(n -> n).toArray();
    }

    private int cluster(String variant, int round) {
        MeasuredBlock block = byVariant.getOrDefault(variant, Map.of()).get(round);
        return block == null ? 0 : block.cluster();
    }

    private @org.jspecify.annotations.Nullable Double metric(String variant, int round, String metric) {
        MeasuredBlock block = byVariant.getOrDefault(variant, Map.of()).get(round);
        return block == null ? null : block.metrics().get(metric);
    }

    /** The logarithms of the primary metric by variant, of the rounds in which every variant has one. */
    Map<String, double[]> levels() {
        List<String> variants = byVariant.keySet().stream().sorted().toList();
        int[] complete = IntStream.range(0, rounds)
                .filter(round -> variants.stream().allMatch(v -> metric(v, round, Metrics.PRIMARY) != null))
                .toArray();
        Map<String, double[]> levels = new LinkedHashMap<>();
        for (String variant : variants) {
            levels.put(
                    variant,
                    IntStream.of(complete)
                            .mapToDouble(
                                    round -> Math.log(Objects.requireNonNull(metric(variant, round, Metrics.PRIMARY))))
                            .toArray());
        }
        return levels;
    }
}
