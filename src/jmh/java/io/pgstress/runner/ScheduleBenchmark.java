package io.pgstress.runner;

import io.pgstress.plan.Arrival;
import io.pgstress.plan.HostShare;
import io.pgstress.plan.Load;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/** What a scheduled start of an open loop costs, alone and with two clients asking at once. Not measured: waiting for it. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class ScheduleBenchmark {
    @Param({"UNIFORM", "POISSON"})
    private Arrival arrival;

    private Schedule schedule;

    @Setup
    public void setup() {
        schedule = new Schedule(
                new Load.Open(8, List.of(10_000.0), arrival, Duration.ofHours(1), Duration.ZERO),
                0,
                1,
                HostShare.whole(1));
        schedule.measureStarts(0);
    }

    @Benchmark
    public long alone() {
        return schedule.takeMeasured();
    }

    @Benchmark
    @Threads(2)
    public long together() {
        return schedule.takeMeasured();
    }
}
