package io.pgstress.compare.climb;

import io.pgstress.compare.statistics.Interval;
import io.pgstress.compare.statistics.Sample;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** When a step of a climb has been measured for long enough: the interval of its throughput is narrow. Thread-confined. */
public final class StepStability {
    /** Intervals that are measured at least. */
    private static final int MIN = 8;

    /** Half the interval, as a share of the throughput. */
    private static final double NARROW = 0.03;

    private final List<Double> throughputs = new ArrayList<>();

    /** Takes an interval's throughput; whether enough is known. */
    public boolean isEnoughAfter(double opsPerSecond) {
        throughputs.add(opsPerSecond);
        Interval interval = interval(throughputs);
        return interval != null && throughputs.size() >= MIN && interval.halfWidth() <= NARROW * interval.value();
    }

    /** The interval of the throughput; null where too few intervals were measured. */
    public static @Nullable Interval interval(List<Double> throughputs) {
        return throughputs.size() < 3
                ? null
                : new Sample(throughputs.stream().mapToDouble(t -> t).toArray()).student(0.95);
    }
}
