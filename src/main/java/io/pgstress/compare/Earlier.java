package io.pgstress.compare;

import io.pgstress.compare.statistics.Difference;
import io.pgstress.compare.statistics.Sample;
import io.pgstress.compare.statistics.Welch;
import io.pgstress.result.Comparison;
import io.pgstress.result.Finding;
import io.pgstress.result.IntervalResult;
import io.pgstress.result.Latency;
import io.pgstress.result.RunResult;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An earlier result to compare with: the intervals of a run, or the blocks of a comparison's baseline. Immutable.
 *
 * @param variant what it was, as a report shows it
 * @param figures by metric, one for each interval or block
 */
public record Earlier(Comparison.Variant variant, Map<String, List<Double>> figures) {
    private static final int LEAST = 5;

    /**
     * What the result says.
     *
     * @throws IllegalArgumentException where it cannot be compared with
     */
    public static Earlier of(Finding finding, String name) {
        Map<String, List<Double>> figures = new HashMap<>();
        Comparison.Variant variant;
        if (finding instanceof Comparison c) {
            variant = ofComparison(c, name, figures);
        } else if (finding instanceof RunResult r) {
            variant = ofRun(r, name, figures);
        } else {
            throw new IllegalArgumentException("is neither a run nor a comparison");
        }
        if (figures.getOrDefault(Metrics.PRIMARY, List.of()).size() < LEAST) {
            throw new IllegalArgumentException(
                    "has fewer than " + LEAST + " intervals or blocks: too few to compare with");
        }
        return new Earlier(variant, figures);
    }

    private static Comparison.Variant ofComparison(Comparison c, String name, Map<String, List<Double>> figures) {
        for (Comparison.Block block : c.blocks()) {
            if (block.variant().equals(c.baseline())) {
                add(figures, Metrics.PRIMARY, block.opsPerSecond());
                add(figures, "p50", block.p50Micros());
                add(figures, "p99", block.p99Micros());
            }
        }
        Comparison.Variant baseline = c.variants().get(0);
        return new Comparison.Variant(
                name,
                baseline.options(),
                baseline.blocks(),
                baseline.opsPerSecond(),
                baseline.operations(),
                baseline.facts());
    }

    private static Comparison.Variant ofRun(RunResult r, String name, Map<String, List<Double>> figures) {
        double sum = 0;
        int count = 0;
        for (IntervalResult interval : r.intervals()) {
            if (!interval.phase().equals("measure")) {
                continue;
            }
            add(figures, Metrics.PRIMARY, interval.opsPerSecond());
            sum += interval.opsPerSecond();
            count++;
            Latency latency = interval.responseMicros() != null ? interval.responseMicros() : interval.totalMicros();
            if (latency != null) {
                Map<String, Double> times = new HashMap<>();
                Metrics.addTimes(latency, times);
                times.forEach((metric, value) -> add(figures, metric, value));
            }
        }
        Tally tally = Tally.NONE.plus(r, 1);
        return new Comparison.Variant(name, Map.of(), 1, count == 0 ? 0 : sum / count, r.operations(), Facts.of(tally));
    }

    private static void add(Map<String, List<Double>> figures, String metric, double value) {
        if (value > 0) {
            figures.computeIfAbsent(metric, m -> new ArrayList<>()).add(Math.log(value));
        }
    }

    String name() {
        return variant.name();
    }

    /** The blocks of now against the figures of then. */
    Differences against(List<Measured> blocks) {
        return (name, metric) -> {
            List<Double> then = figures.getOrDefault(metric, List.of());
            List<Double> now = blocks.stream()
                    .filter(b -> b.variant().equals(name))
                    .map(b -> b.metrics().get(metric))
                    .filter(java.util.Objects::nonNull)
                    .map(Math::log)
                    .toList();
            return then.size() < LEAST || now.size() < 2
                    ? Optional.<Difference>empty()
                    : Optional.of(new Welch(sample(now), sample(then)));
        };
    }

    private static Sample sample(List<Double> figures) {
        return new Sample(figures.stream().mapToDouble(f -> f).toArray());
    }
}
