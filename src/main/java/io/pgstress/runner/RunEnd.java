package io.pgstress.runner;

import io.pgstress.result.Remark;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a run ended.
 *
 * @param started start of the load
 * @param hazards problems of this load that were known in advance
 * @param reason why it ended early; null if it did not
 * @param warmupCut what the warm-up had not reached at its limit; null if it was not cut
 * @param backlog operations due but not started at the end of the measurement; null in a closed load
 * @param hung clients whose operation from before the measurement was still in progress at the end of the drain
 * @param connectSeconds how long the clients took to connect
 * @param drainSeconds how long the run waited for operations in progress
 */
record RunEnd(
        Instant started,
        List<Remark> hazards,
        Stop.@Nullable Reason reason,
        @Nullable String warmupCut,
        @Nullable Long backlog,
        int hung,
        double connectSeconds,
        double drainSeconds) {}
