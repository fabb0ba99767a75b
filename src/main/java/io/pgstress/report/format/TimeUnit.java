package io.pgstress.report.format;

import io.pgstress.result.Latency;
import java.util.Collection;

/** The unit in which times of one table are told. */
public enum TimeUnit {
    MICROS("us", 1),
    MILLIS("ms", 1000);

    private static final double MAX_MICROS = 10_000;

    private final String label;
    private final double micros;

    TimeUnit(String label, double micros) {
        this.label = label;
        this.micros = micros;
    }

    /** Microseconds where every p99 is under 10 ms, else milliseconds. */
    public static TimeUnit fitting(Collection<Latency> latencies) {
        return latencies.stream().allMatch(l -> l.p99() < MAX_MICROS) ? MICROS : MILLIS;
    }

    public String label() {
        return label;
    }

    /** A time without its unit, to at least 3 digits. */
    public String of(double timeMicros) {
        double value = timeMicros / micros;
        return Figures.decimal(value, this == MICROS ? (value < 100 ? 1 : 0) : (value < 10 ? 3 : value < 100 ? 2 : 1));
    }
}
