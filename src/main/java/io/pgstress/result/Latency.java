package io.pgstress.result;

import io.pgstress.measure.LatencyHistogram;
import org.jspecify.annotations.Nullable;

/**
 * A distribution of times, in microseconds.
 *
 * @param count number of times
 * @param stddev standard deviation
 * @param histogram the whole distribution in nanoseconds: HdrHistogram's compressed form in base64; null if omitted
 */
public record Latency(
        long count,
        double mean,
        double p50,
        double p90,
        double p95,
        double p99,
        double p999,
        double max,
        @Nullable String histogram,
        @Nullable Double stddev,
        @Nullable Double min) {
    /** With fewer times, the p99 would be the slowest one. */
    public static final int MIN_FOR_P99 = 100;

    /** @throws IllegalArgumentException if {@code histogram} is something else, which may come from a file */
    public Latency {
        if (histogram != null) {
            LatencyHistogram.check(histogram);
        }
    }

    /** The figures of a histogram, and the histogram itself. */
    public static Latency of(LatencyHistogram h) {
        LatencyHistogram.Summary summary = h.summary(50, 90, 95, 99, 99.9);
        return new Latency(
                h.count(),
                summary.mean(),
                summary.percentiles().get(0),
                summary.percentiles().get(1),
                summary.percentiles().get(2),
                summary.percentiles().get(3),
                summary.percentiles().get(4),
                h.maxMicros(),
                h.encode(),
                summary.deviation(),
                h.minMicros());
    }

    /** The figures of a histogram; null if it is missing or empty. */
    public static @Nullable Latency ofAny(@Nullable LatencyHistogram h) {
        return h == null || h.count() == 0 ? null : of(h);
    }

    /** The figure with this name, such as {@code p99}, {@code mean} or {@code max}. */
    public double figure(String name) {
        return switch (name) {
            case "mean" -> mean;
            case "p50" -> p50;
            case "p90" -> p90;
            case "p95" -> p95;
            case "p99" -> p99;
            case "p99.9", "p999" -> p999;
            case "max" -> max;
            default -> throw new IllegalArgumentException(name);
        };
    }

    /** The p99; null with fewer than {@value #MIN_FOR_P99} times, because it would be the slowest one. */
    public @Nullable Double knownP99() {
        return count < MIN_FOR_P99 ? null : Double.valueOf(p99);
    }

    /** The p99.9; null with fewer than 1,000 times. */
    public @Nullable Double knownP999() {
        return count < 1_000 ? null : Double.valueOf(p999);
    }

    /** A copy without the histogram, a tenth of the size. */
    public Latency withoutHistogram() {
        return new Latency(count, mean, p50, p90, p95, p99, p999, max, null, stddev, min);
    }

    /** The histogram; empty if omitted. */
    public LatencyHistogram decoded() {
        return histogram == null ? new LatencyHistogram() : LatencyHistogram.decode(histogram);
    }
}
