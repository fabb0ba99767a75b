package io.pgstress.bson.json;

import io.pgstress.bson.ByteSink;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import tools.jackson.core.io.NumberOutput;

/** Doubles as decimal text in a byte buffer: our own, the JDK's (which is the shortest text from JDK 19 on), and Jackson's. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
@OperationsPerInvocation(DoubleBenchmark.COUNT)
public class DoubleBenchmark {
    static final int COUNT = 1024;

    /** What the numbers look like. */
    public enum Kind {
        PRICES,
        COORDINATES
    }

    @Param
    public Kind kind;

    private final double[] values = new double[COUNT];
    private final DoubleText own = new DoubleText();
    private final ByteSink out = new ByteSink(64 * COUNT);

    @Setup
    public void values() {
        Random random = new Random(1);
        for (int i = 0; i < COUNT; i++) {
            values[i] = kind == Kind.PRICES ? random.nextInt(1_000_000) / 100.0 : random.nextDouble() * 360 - 180;
        }
    }

    @Benchmark
    public int own() {
        out.clear();
        for (double value : values) {
            own.write(value, out);
        }
        return out.length();
    }

    @Benchmark
    public int jdk() {
        out.clear();
        for (double value : values) {
            out.put(Double.toString(value).getBytes(StandardCharsets.ISO_8859_1));
        }
        return out.length();
    }

    @Benchmark
    public int jackson() {
        out.clear();
        for (double value : values) {
            out.put(NumberOutput.toString(value, true).getBytes(StandardCharsets.ISO_8859_1));
        }
        return out.length();
    }
}
