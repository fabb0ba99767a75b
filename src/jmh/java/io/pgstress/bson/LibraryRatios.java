package io.pgstress.bson;

import io.pgstress.bson.dump.GzipBenchmark;
import io.pgstress.bson.json.DoubleBenchmark;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.Callable;

/**
 * CPU time of our own code as a share of a library's, on the work of the benchmarks. Both sides alternate in one JVM, so that other
 * work on the machine meets both: prints the median of the rounds' ratios and their quartiles.
 */
public final class LibraryRatios {
    private static final int ROUNDS = 40;
    private static final long ROUND_NANOS = 100_000_000;

    private LibraryRatios() {}

    public static void main(String[] arguments) throws Exception {
        for (SampleDocuments shape : new SampleDocuments[] {SampleDocuments.SMALL, SampleDocuments.TYPICAL}) {
            ConverterBenchmark converter = new ConverterBenchmark();
            converter.shape = shape;
            converter.documents();
            ConverterBenchmark.Volume volume = new ConverterBenchmark.Volume();
            print(shape + ", converter / org.bson", () -> converter.relaxed(volume), () -> converter.library(volume));
            print(shape + ", keys ordered / not", () -> converter.ordered(volume), () -> converter.relaxed(volume));
        }
        for (DoubleBenchmark.Kind kind : DoubleBenchmark.Kind.values()) {
            DoubleBenchmark doubles = new DoubleBenchmark();
            doubles.kind = kind;
            doubles.values();
            print(kind + ", doubles / JDK", doubles::own, doubles::jdk);
            print(kind + ", doubles / Jackson", doubles::own, doubles::jackson);
        }
        GzipBenchmark gzip = new GzipBenchmark();
        gzip.compress();
        print("gzip / JDK", gzip::own, gzip::jdk);
        print("gzip / Commons Compress", gzip::own, gzip::commonsCompress);
    }

    private static void print(String what, Callable<?> own, Callable<?> library) throws Exception {
        double[] ratios = new double[ROUNDS];
        for (int round = -ROUNDS / 2; round < ROUNDS; round++) {
            double first = nanosPerCall(own);
            double second = nanosPerCall(library);
            ratios[Math.max(0, round)] = first / second; // those of the warm-up are overwritten
        }
        Arrays.sort(ratios);
        System.out.printf(
                Locale.ROOT,
                "%-32s %.2f [%.2f, %.2f]%n",
                what,
                ratios[ROUNDS / 2],
                ratios[ROUNDS / 4],
                ratios[3 * ROUNDS / 4]);
    }

    private static double nanosPerCall(Callable<?> work) throws Exception {
        long end = System.nanoTime() + ROUND_NANOS;
        long start = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        int calls = 0;
        while (System.nanoTime() < end) {
            if (work.call() == null) {
                throw new IllegalStateException("nothing came of it");
            }
            calls++;
        }
        return (ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - start) / (double) calls;
    }
}
