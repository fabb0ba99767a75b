package io.pgstress.metrics;

import io.pgstress.measure.LatencyHistogram;
import io.pgstress.result.Latency;
import io.prometheus.metrics.model.registry.Collector;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The run's histograms as a Prometheus histogram of fixed buckets. Micrometer's timers record one time after the other;
 * these times come as whole histograms, so they go directly to the Prometheus registry under Micrometer. Thread-safe.
 */
final class LatencyCollector implements Collector {
    private static final String NAME = "pgstress_latency_seconds";
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double MICROS_PER_SECOND = 1e6;

    /** 1, 2 and 5 in each decade from 10 microseconds to 50 seconds, and infinity. */
    private static final double[] BOUNDS = {
        1e-5,
        2e-5,
        5e-5,
        1e-4,
        2e-4,
        5e-4,
        1e-3,
        2e-3,
        5e-3,
        1e-2,
        2e-2,
        5e-2,
        0.1,
        0.2,
        0.5,
        1,
        2,
        5,
        10,
        20,
        50,
        Double.POSITIVE_INFINITY
    };

    private final Map<Labels, Sum> sums = new TreeMap<>();

    /** The times of one kind in one phase. */
    private static final class Sum {
        private final long[] counts = new long[BOUNDS.length];
        private double seconds;
    }

    /** Adds an interval's times; times without a histogram are left out. */
    synchronized void add(String kind, String phase, @Nullable Latency latency) {
        if (latency == null || latency.histogram() == null) {
            return;
        }
        LatencyHistogram histogram = latency.decoded();
        Sum sum = sums.computeIfAbsent(Labels.of("kind", kind, "phase", phase), l -> new Sum());
        histogram.forEachBucket((nanos, count) -> sum.counts[bucket(nanos / NANOS_PER_SECOND)] += count);
        sum.seconds += histogram.meanMicros() * histogram.count() / MICROS_PER_SECOND;
    }

    private static int bucket(double seconds) {
        int i = 0;
        while (seconds > BOUNDS[i]) {
            i++;
        }
        return i;
    }

    @Override
    public synchronized MetricSnapshot collect() {
        HistogramSnapshot.Builder snapshot =
                HistogramSnapshot.builder().name(NAME).help("Times of operations, by kind.");
        sums.forEach((labels, sum) -> snapshot.dataPoint(HistogramDataPointSnapshot.builder()
                .labels(labels)
                .sum(sum.seconds)
                .classicHistogramBuckets(ClassicHistogramBuckets.of(BOUNDS.clone(), sum.counts.clone()))
                .build()));
        return snapshot.build();
    }
}
