package io.pgstress.compare;

import io.pgstress.compare.statistics.Sample;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Whether throughput was steady within the blocks of a comparison. On a machine whose speed varies, it rises in some blocks and falls in
 * others. That is noise: it makes the intervals wider, as any other, and favours no variant. If it changes alike in all blocks of a
 * variant, as while something warms up, its rate depends on how long a block lasts.
 */
final class BlockSteadiness {
    /** A larger mean change refutes a steady state, as it does in a run. */
    private static final double MAX_CHANGE = 0.2;

    /** Each variant is judged, and each comparison would be refuted by chance as often as this leaves. */
    private static final double CONFIDENCE = 0.99;

    /** Fewer blocks decide nothing. */
    private static final int MIN_BLOCKS = 3;

    private BlockSteadiness() {}

    /** What the reason for which a single run is not valid is in a block: a warning. */
    static Remark ofOne(Remark notSteady) {
        Map<String, Object> figures = notSteady.figures();
        return RemarkCode.UNSTEADY
                .with("first", figures.get("first"))
                .with("middle", figures.get("middle"))
                .with("last", figures.get("last"))
                .remark();
    }

    /** The variants whose blocks change alike: by more than a fifth on average, and by more than chance explains. */
    static List<Remark> reasons(List<MeasuredBlock> blocks) {
        Map<String, List<Double>> changes = blocks.stream()
                .filter(block -> block.change() != null)
                .collect(Collectors.groupingBy(
                        MeasuredBlock::variant,
                        LinkedHashMap::new,
                        Collectors.mapping(block -> Objects.requireNonNull(block.change()), Collectors.toList())));
        return changes.entrySet().stream()
                .filter(entry -> entry.getValue().size() >= MIN_BLOCKS)
                .flatMap(entry -> reason(entry.getKey(), entry.getValue()))
                .toList();
    }

    private static Stream<Remark> reason(String variant, List<Double> changes) {
        double mean =
                changes.stream().mapToDouble(Double::doubleValue).average().orElse(0);
        boolean isChance = !Sample.of(changes).student(CONFIDENCE).excludes(0);
        double ratio = Math.exp(mean);
        return isChance || Math.abs(ratio - 1) <= MAX_CHANGE
                ? Stream.empty()
                : Stream.of(RemarkCode.VARIANT_NOT_STEADY
                        .with("variant", variant)
                        .with("blocks", changes.size())
                        .with("ratio", ratio)
                        .remark());
    }
}
