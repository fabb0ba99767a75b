package io.pgstress.report.page;

import io.pgstress.measure.LatencyHistogram;
import io.pgstress.report.text.ComparisonText;
import io.pgstress.result.Comparison;
import io.pgstress.result.Latency;
import io.pgstress.result.Result;
import io.pgstress.result.RunResult;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A latency distribution as a curve for the page, which cannot read histograms.
 *
 * @param points pairs of percentile (0 to below 100) and microseconds, ascending
 */
record PercentileCurve(Latency latency, List<List<Double>> points) {
    private static final List<String> KINDS = List.of("response", "total", "service", "acquire");

    /** Points between 1 - 1/2^n and 1 - 1/2^(n+1), as in HdrHistogram's own percentile output. */
    private static final int TICKS = 5;

    /** Up to 99.99%, or as far as there are enough samples. */
    private static final double LAST = 99.99;

    /** The curves of a run: by kind for all operations, and the headline by operation; and its times over time. */
    record OfRun(
            Map<String, PercentileCurve> all,
            Map<String, PercentileCurve> operations,
            @Nullable LatencyMap map) {}

    /** The curves of a result: a run's, or a comparison's by variant; empty if it has none. */
    static Object of(Result finding) {
        if (finding instanceof RunResult run) {
            Map<String, PercentileCurve> operations = new LinkedHashMap<>();
            run.operations().forEach((name, o) -> add(operations, name, run.headline(o)));
            Map<String, Latency> times = run.total().latencyMicros();
            Map<String, PercentileCurve> all = new LinkedHashMap<>();
            KINDS.forEach(kind -> add(all, kind, times.get(kind)));
            return new OfRun(all, operations, LatencyMap.of(run));
        }
        Map<String, PercentileCurve> variants = new LinkedHashMap<>();
        if (finding instanceof Comparison comparison) {
            comparison.variants().forEach(v -> add(variants, v.name(), ComparisonText.times(v)));
        }
        return variants;
    }

    private static void add(Map<String, PercentileCurve> curves, String name, @Nullable Latency latency) {
        if (latency != null && latency.count() > 0 && latency.histogram() != null) {
            curves.put(name, PercentileCurve.of(latency));
        }
    }

    static PercentileCurve of(Latency latency) {
        LatencyHistogram histogram = latency.decoded();
        List<List<Double>> points = new ArrayList<>();
        double rest = 1;
        while (rest > 0) {
            for (int tick = 0; tick < TICKS; tick++) {
                double percentile = 100 * (1 - rest + rest / 2 * tick / TICKS);
                if (percentile > LAST || (1 - percentile / 100) * histogram.count() < 1) {
                    return new PercentileCurve(latency.withoutHistogram(), points);
                }
                points.add(List.of(rounded(percentile), histogram.micros(percentile)));
            }
            rest /= 2;
        }
        return new PercentileCurve(latency.withoutHistogram(), points);
    }

    private static double rounded(double percentile) {
        return Math.round(percentile * 1e6) / 1e6;
    }
}
