package io.pgstress.measure;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What recording an operation of one statement costs: beginning, statement, end, with the share of the hand-over to the
 * histograms. Not measured: the clock ({@link #clock} has it alone), a lock that others hold, cold caches.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class RecorderBenchmark {
    private ClientRecorder recorder;
    private long now;

    @Setup
    public void setup() {
        Timeline timeline = new Timeline(
                IntervalGrid.of(1_000_000_000L), List.of(new OperationShape("find_first", List.of("select"))), 1);
        now = System.nanoTime();
        timeline.start(now);
        timeline.measure(now, now + 3_600_000_000_000L);
        recorder = new ClientRecorder(timeline, 0, 0);
        recorder.resume(now);
    }

    @Benchmark
    public void record() {
        long start = now;
        recorder.begin(start);
        recorder.statementEnded(0, 0, 80_000 + (start & 0xffff), 1, 0);
        now = start + 100;
        recorder.end(0, Outcome.OK, false, start, start, 0, start + 90_000 + (start & 0xffff), 1, 0);
    }

    @Benchmark
    public long clock() {
        return System.nanoTime();
    }
}
