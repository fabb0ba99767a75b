package io.pgstress.report;

import io.pgstress.measure.LatencyHistogram;
import io.pgstress.result.IntervalResult;
import io.pgstress.result.IntervalResult.Counts;
import io.pgstress.result.IntervalResult.Places;
import io.pgstress.result.IntervalResult.Rates;
import io.pgstress.result.IntervalResult.Times;
import io.pgstress.result.IntervalResult.Usage;
import io.pgstress.result.Latency;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

/** Fictitious times and intervals of runs, the same at every call. */
public final class IntervalSamples {
    /** The median of the total times of a closed loop: with 8 clients and 4,000 operations per second, the mean is 2 ms. */
    static final double CLOSED_MICROS = 1_765;

    private static final int NANOS_PER_MICRO = 1000;

    /** Drawn once: millions of times take seconds. */
    private static final Map<List<Number>, Latency> KNOWN = new ConcurrentHashMap<>();

    private IntervalSamples() {}

    /** Lognormally distributed times around a median. */
    static Latency latency(int seed, int count, double medianMicros) {
        return KNOWN.computeIfAbsent(List.of(seed, count, medianMicros), key -> drawn(seed, count, medianMicros));
    }

    private static Latency drawn(int seed, int count, double medianMicros) {
        Random random = new Random(seed);
        LatencyHistogram histogram = new LatencyHistogram();
        for (int i = 0; i < count; i++) {
            histogram.record((long) (medianMicros * NANOS_PER_MICRO * Math.exp(0.5 * random.nextGaussian())));
        }
        return Latency.of(histogram);
    }

    /** An open loop stalls from the fifth to the sixth interval, and has a drain. */
    public static List<IntervalResult> intervals(int count, boolean open) {
        List<Latency[]> times = new ArrayList<>();
        double total = open ? 180 : CLOSED_MICROS;
        for (int i = 0; i < 7; i++) {
            times.add(new Latency[] {
                latency(i, 500, total + i),
                latency(i + 20, 500, 2),
                latency(i + 40, 500, total - 2 + i),
                latency(i + 60, 500, 400 + 5 * i),
                latency(i + 80, 500, 5)
            });
        }
        List<IntervalResult> intervals = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            boolean out = open && (i == 4 || i == 5);
            intervals.add(interval(i, "measure", out ? 0 : ok(i, open), open, out ? null : times.get(i % 7)));
        }
        if (open) {
            intervals.add(interval(count, "drain", 17, true, times.get(0)));
        }
        return intervals;
    }

    /** 4,000 on average over each pair of intervals; after the stall, four intervals make up for it. */
    private static int ok(int interval, boolean open) {
        int change = interval / 2 * 37 % 113;
        return (open && interval > 5 && interval < 10 ? 6000 : 4000) + (interval % 2 == 0 ? change : -change);
    }

    /** Three intervals of a warm-up, slower than the measurement. */
    public static List<IntervalResult> warmup(boolean open) {
        Latency[] times = new Latency[5];
        for (int kind = 0; kind < times.length; kind++) {
            times[kind] = latency(kind, 300, 900);
        }
        return IntStream.range(0, 3)
                .mapToObj(i -> interval(i, "warmup", 1500, open, times))
                .toList();
    }

    /** @param times by kind; null: nothing succeeded */
    private static IntervalResult interval(int at, String phase, long ok, boolean open, Latency[] times) {
        boolean out = times == null;
        long failed = out ? 3 : 0;
        Map<String, IntervalResult.OperationInterval> operations = new LinkedHashMap<>();
        operations.put("find_first", operation(open ? ok * 3 / 4 : ok, failed, 180.5));
        if (open) {
            operations.put("find_update", operation(ok - ok * 3 / 4, 0, 280.5));
        }
        boolean drain = phase.equals("drain");
        return new IntervalResult(
                at,
                drain ? 0.25 : 1,
                phase,
                new Counts(ok, failed, 0, 0, 0),
                new Rates(drain ? 0 : ok, open && !drain ? 4000.0 : null, open && !drain ? (out ? 4000L : 0L) : null),
                new Usage(123.456 + at % 10, 12.5, 1.25),
                out
                        ? Times.NONE
                        : new Times(times[0], times[1], times[2], open ? times[3] : null, open ? times[4] : null),
                out ? Map.of("57P01", 3L) : Map.of(),
                operations,
                new Places(
                        new TreeMap<>(Map.of("jdbc:postgresql://a/db", ok / 2, "jdbc:postgresql://b/db", ok - ok / 2)),
                        null,
                        !open ? null : out ? Map.of("jdbc:postgresql://b/db", Set.of("57P01")) : Map.of(),
                        out ? Map.of("jdbc:postgresql://b/db", Set.of("57P01")) : Map.of(),
                        Map.of()));
    }

    /** An operation with one row for each success. */
    private static IntervalResult.OperationInterval operation(long ok, long failed, double meanMicros) {
        return new IntervalResult.OperationInterval(
                ok,
                failed,
                ok,
                null,
                meanMicros,
                meanMicros + 431.75,
                failed == 0 ? Map.of() : Map.of("57P01", failed));
    }
}
