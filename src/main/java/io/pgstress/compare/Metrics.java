package io.pgstress.compare;

import io.pgstress.result.Latency;
import java.util.List;
import java.util.Map;

/** The metrics compared for each block. */
final class Metrics {
    /** The metric chosen in advance, which decides the verdict. */
    static final String PRIMARY = "opsPerSecond";

    /** All metrics, the primary one first; times in microseconds. */
    static final List<String> ALL = List.of(PRIMARY, "mean", "p50", "p90", "p95", "p99", "p999");

    /** A percentile is omitted if fewer operations of a block lie beyond it. */
    private static final int MIN_BEYOND = 10;

    private Metrics() {}

    /** The metric's name for a limit on the command line. */
    static String ofLimit(String name) {
        return name.equals("ops") ? PRIMARY : name;
    }

    /** Whether a higher value is better. */
    static boolean isRate(String metric) {
        return metric.equals(PRIMARY);
    }

    static void addTimes(Latency latency, Map<String, Double> metrics) {
        add(metrics, "mean", latency.mean(), latency.count(), 1);
        add(metrics, "p50", latency.p50(), latency.count(), 0.5);
        add(metrics, "p90", latency.p90(), latency.count(), 0.1);
        add(metrics, "p95", latency.p95(), latency.count(), 0.05);
        add(metrics, "p99", latency.p99(), latency.count(), 0.01);
        add(metrics, "p999", latency.p999(), latency.count(), 0.001);
    }

    private static void add(Map<String, Double> metrics, String name, double micros, long count, double beyond) {
        if (micros > 0 && count * beyond >= MIN_BEYOND) {
            metrics.put(name, micros);
        }
    }
}
