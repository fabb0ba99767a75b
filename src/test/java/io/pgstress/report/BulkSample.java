package io.pgstress.report;

import io.pgstress.result.IntervalResult;
import io.pgstress.result.IntervalResult.OperationInterval;
import io.pgstress.result.OperationResult;
import io.pgstress.result.RunResult;
import io.pgstress.result.ServerProfile;
import io.pgstress.text.Records;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** A run that reports rows and bytes, which decrease from interval to interval. */
public final class BulkSample {
    private static final int ROWS = 100;
    private static final int ROW_BYTES = 360;

    private BulkSample() {}

    /** 100 rows of 360 bytes per operation, for ten seconds. */
    public static RunResult run() {
        List<IntervalResult> plain = IntervalSamples.intervals(10, false);
        List<IntervalResult> intervals = IntStream.range(0, plain.size())
                .mapToObj(n -> decayed(plain.get(n), n))
                .toList();
        OperationResult o = Samples.operation(1, 40_000, "total", Map.of());
        OperationResult bulk = Records.with(
                Records.with(Records.with(o, "rows", o.ok() * ROWS), "rowsPerSecond", o.opsPerSecond() * ROWS),
                "megabytesPerSecond",
                o.opsPerSecond() * ROWS * ROW_BYTES / 1e6);
        return Samples.of(
                "bulk",
                Samples.scenario("bulk_copy", ""),
                Map.of("bulk_copy", bulk),
                intervals,
                List.of(),
                ServerProfile.NONE);
    }

    private static IntervalResult decayed(IntervalResult i, int n) {
        long rows = i.counts().ok() * (ROWS - n);
        OperationInterval bulk =
                new OperationInterval(i.counts().ok(), 0, rows, rows * ROW_BYTES, 180.5, 612.25, Map.of());
        return i.withOperations(Map.of("bulk_copy", bulk));
    }
}
