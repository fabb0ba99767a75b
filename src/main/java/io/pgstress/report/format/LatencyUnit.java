package io.pgstress.report.format;

import io.pgstress.result.Latency;
import java.util.Collection;

/** The unit for the times of one table. */
public enum LatencyUnit {
    MICROS("us", 1),
    MILLIS("ms", 1000);

    private static final double MAX_MICROS = 10_000;

    private final String label;
    private final double micros;

    LatencyUnit(String label, double micros) {
        this.label = label;
        this.micros = micros;
    }

    /** Microseconds if every p99 is below 10 ms, else milliseconds. */
    public static LatencyUnit fitting(Collection<Latency> latencies) {
        return latencies.stream().allMatch(l -> l.p99() < MAX_MICROS) ? MICROS : MILLIS;
    }

    public String label() {
        return label;
    }

    /** A time without its unit, with at least 3 digits. */
    public String of(double timeMicros) {
        double value = timeMicros / micros;
        return Figures.decimal(value, this == MICROS ? (value < 100 ? 1 : 0) : (value < 10 ? 3 : value < 100 ? 2 : 1));
    }
}
