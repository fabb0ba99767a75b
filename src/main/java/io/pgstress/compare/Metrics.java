package io.pgstress.compare;

import io.pgstress.result.Latency;
import java.util.List;
import java.util.Map;

/** The metrics compared for each block. */
final class Metrics {
    /** The metric that decides the verdict, unless the rate is given. */
    static final String PRIMARY = "opsPerSecond";

    /** What decides in open loops: their rate is that which was asked for, in all variants that keep up. */
    static final String PRIMARY_OF_OPEN = "mean";

    /** All metrics; times in microseconds. */
    static final List<String> ALL = List.of(PRIMARY, PRIMARY_OF_OPEN, "p50", "p90", "p95", "p99", "p999");

    /** A percentile is omitted if fewer operations of a block lie beyond it. */
    private static final int MIN_BEYOND = 10;

    private Metrics() {}

    /** The metric's name for a limit on the command line. */
    static String ofLimit(String name) {
        return name.equals("ops") ? PRIMARY : name;
    }

    /** The metric's name in sentences about it. */
    static String words(String metric) {
        return isRate(metric) ? "operations per second" : metric + " response time";
    }

    /** Whether a higher value is better. */
    static boolean isRate(String metric) {
        return metric.equals(PRIMARY);
    }

    /** The share of the operations that are beyond each time. */
    private static final Map<String, Double> BEYOND =
            Map.of("mean", 1.0, "p50", 0.5, "p90", 0.1, "p95", 0.05, "p99", 0.01, "p999", 0.001);

    static void addTimes(Latency latency, Map<String, Double> metrics) {
        for (String metric : ALL) {
            Double beyond = BEYOND.get(metric);
            if (beyond != null && latency.count() * beyond >= MIN_BEYOND && latency.figure(metric) > 0) {
                metrics.put(metric, latency.figure(metric));
            }
        }
    }
}
