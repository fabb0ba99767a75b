package io.pgstress.report.page;

import io.pgstress.measure.LatencyHistogram;
import io.pgstress.measure.Phase;
import io.pgstress.report.text.ComparisonText;
import io.pgstress.result.Comparison;
import io.pgstress.result.IntervalResult;
import io.pgstress.result.Latency;
import io.pgstress.result.Result;
import io.pgstress.result.RunResult;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A latency distribution as a curve for the page, which cannot read histograms.
 *
 * @param points pairs of percentile (0 to below 100) and microseconds, ascending
 */
record PercentileCurve(Latency latency, List<List<Double>> points) {
    static final List<String> KINDS = List.of("response", "total", "service", "acquire");

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

    /**
     * How many operations took how long in each part of the run: a matrix of counts, which is small enough for the page.
     *
     * @param perDecade number of buckets in each factor of 10; bucket n begins at 10^(n / perDecade) microseconds
     * @param columns the parts of the warm-up and the measurement, in the order of time
     */
    record LatencyMap(int perDecade, List<Column> columns) {
        private static final int PER_DECADE = 10;

        /** Columns of the measurement; more would be narrower than a pixel of a phone. */
        static final int MAX_COLUMNS = 300;

        /**
         * Adjacent intervals.
         *
         * @param atSeconds since the start of the measurement; negative in the warm-up
         * @param counts pairs of a bucket and the number of times in it, ascending, without empty buckets
         */
        record Column(double atSeconds, double seconds, List<List<Long>> counts) {}

        /** The map of a run's headline times; null if its intervals have no histograms. */
        static @Nullable LatencyMap of(RunResult run) {
            List<IntervalResult> measured =
                    run.intervals().stream().filter(i -> i.in(Phase.MEASURE)).toList();
            int together = (measured.size() + MAX_COLUMNS - 1) / MAX_COLUMNS;
            if (together == 0) {
                return null;
            }
            List<Column> columns = new ArrayList<>();
            boolean open = run.run().workload().headline().equals("response");
            add(columns, run.load().warmupIntervals(), together, -run.run().seconds(Phase.WARMUP), open);
            add(columns, measured, together, 0, open);
            return columns.stream().allMatch(c -> c.counts().isEmpty()) ? null : new LatencyMap(PER_DECADE, columns);
        }

        private static void add(
                List<Column> columns, List<IntervalResult> intervals, int together, double offset, boolean open) {
            for (int from = 0; from < intervals.size(); from += together) {
                List<IntervalResult> part = intervals.subList(from, Math.min(intervals.size(), from + together));
                SortedMap<Long, Long> counts = new TreeMap<>();
                for (IntervalResult interval : part) {
                    add(
                            counts,
                            open
                                    ? interval.times().responseMicros()
                                    : interval.times().totalMicros());
                }
                columns.add(new Column(
                        part.get(0).atSeconds() + offset,
                        part.stream().mapToDouble(IntervalResult::seconds).sum(),
                        counts.entrySet().stream()
                                .map(e -> List.of(e.getKey(), e.getValue()))
                                .toList()));
            }
        }

        private static void add(SortedMap<Long, Long> counts, @Nullable Latency times) {
            if (times != null && times.histogram() != null) {
                LatencyHistogram histogram = times.decoded();
                histogram.forEachBucket((nanos, count) -> counts.merge(bucket(nanos), count, Long::sum));
            }
        }

        /** Times below 1 microsecond are in bucket 0. */
        private static long bucket(long nanos) {
            return Math.max(0, (long) Math.floor(PER_DECADE * Math.log10(nanos / 1e3)));
        }
    }
}
