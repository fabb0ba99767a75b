package io.pgstress.compare;

import io.pgstress.measure.LatencyHistogram;
import io.pgstress.report.Samples;
import io.pgstress.result.IntervalResult;
import io.pgstress.result.IntervalResult.Counts;
import io.pgstress.result.IntervalResult.Places;
import io.pgstress.result.IntervalResult.Rates;
import io.pgstress.result.IntervalResult.Times;
import io.pgstress.result.IntervalResult.Usage;
import io.pgstress.result.Latency;
import io.pgstress.result.LoadResult;
import io.pgstress.result.NodeResult;
import io.pgstress.result.OperationResult;
import io.pgstress.result.OperationResult.StatementResult;
import io.pgstress.result.RunResult;
import java.util.List;
import java.util.Map;

/** Results of blocks for tests. */
final class SampleBlocks {
    private SampleBlocks() {}

    /** A block of one second by one client with this number of successful operations, all of mean length. */
    static RunResult block(long ok, double meanMicros, Map<String, StatementResult> statements, IntervalResult... i) {
        RunResult r = Samples.closed();
        LatencyHistogram times = new LatencyHistogram();
        for (int n = 0; n < ok; n++) {
            times.record((long) (meanMicros * 1000));
        }
        Map<String, Latency> latency = ok == 0 ? Map.of() : Map.of("total", Latency.of(times));
        OperationResult operation =
                new OperationResult(ok, ok, 0, 0, 0, 0, 0, ok, Map.of(), Map.of(), ok, ok, null, statements, latency);
        NodeResult node = new NodeResult("a", 1, Map.of(), r.load().network(), null, null);
        LoadResult load = LoadResult.NONE
                .withOperations(Map.of("find_first", operation), List.of(node))
                .withNetwork(r.load().network())
                .withIntervals(List.of(i), List.of());
        return r.with(load);
    }

    static RunResult block(long ok) {
        return block(ok, 10, Map.of());
    }

    /** An interval of a second. */
    static IntervalResult interval(int number, long ok) {
        LatencyHistogram times = new LatencyHistogram();
        for (int n = 0; n < ok; n++) {
            times.record(10_000);
        }
        Latency total = ok == 0 ? null : Latency.of(times);
        return new IntervalResult(
                number,
                1,
                "measure",
                new Counts(ok, 0, 0, 0, 0),
                new Rates(ok, null, null),
                new Usage(0.0, 0.0, 0.0),
                new Times(total, null, null, null, null),
                Map.of(),
                Map.of(),
                Places.NONE);
    }
}
