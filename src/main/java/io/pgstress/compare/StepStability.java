package io.pgstress.compare;

import io.pgstress.compare.statistics.Interval;
import io.pgstress.compare.statistics.Sample;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Decides when a step of a climb has been measured long enough: when the interval of its throughput is narrow. Thread-confined. */
public final class StepStability {
    /** Minimum number of intervals. */
    private static final int MIN = 8;

    /** Maximum half-width of the interval, relative to the throughput. */
    private static final double NARROW = 0.03;

    private final List<Double> throughputs = new ArrayList<>();

    /** Adds an interval's throughput; returns whether the measurement is precise enough. */
    public boolean isEnoughAfter(double opsPerSecond) {
        throughputs.add(opsPerSecond);
        Interval interval = interval(throughputs);
        return interval != null && throughputs.size() >= MIN && interval.halfWidth() <= NARROW * interval.value();
    }

    /** The confidence interval of the throughput; null if there are too few intervals. */
    public static @Nullable Interval interval(List<Double> throughputs) {
        return throughputs.size() < 3 ? null : Sample.of(throughputs).student(0.95);
    }
}
