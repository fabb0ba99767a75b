package io.pgstress.compare;

import io.pgstress.compare.statistics.Interval;
import io.pgstress.compare.statistics.Sample;
import io.pgstress.measure.Phase;
import io.pgstress.result.Latency;
import io.pgstress.result.OperationResult;
import io.pgstress.result.RunResult;
import io.pgstress.result.Scaling.Step;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A run with some number of clients, and the resulting step of the climb. */
public record Measurement(Step step, RunResult result) {
    /** Minimum share of the interval length for an interval to count as whole; the last one may be cut short. */
    private static final double WHOLE = 0.99;

    private static final Latency NO_LATENCY = new Latency(0, 0, 0, 0, 0, 0, 0, 0, null, null, null);

    /** @param interval the length of the run's intervals */
    public static Measurement of(int clients, RunResult result, Duration interval) {
        OperationResult all = result.total();
        Interval throughput = StepStability.interval(throughputs(result, interval));
        double seconds = result.run().measuredSeconds();
        Step step = new Step(
                clients,
                seconds,
                all.opsPerSecond(),
                throughput == null ? null : Math.max(0, throughput.low()), // Student's t has no lower bound
                throughput == null ? null : throughput.high(),
                Objects.requireNonNullElse(all.times(), NO_LATENCY),
                all.failed());
        return new Measurement(step, result);
    }

    private static List<Double> throughputs(RunResult result, Duration interval) {
        double whole = WHOLE * interval.toNanos() / 1e9;
        return result.intervals().stream()
                .filter(i -> i.in(Phase.MEASURE) && i.seconds() >= whole)
                .map(i -> i.rates().opsPerSecond())
                .toList();
    }

    /** Decides when a step of a climb has been measured long enough: when the interval of its throughput is narrow. Thread-confined. */
    public static final class StepStability {
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
}
