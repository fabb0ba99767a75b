package io.pgstress.runner;

import io.pgstress.runner.client.Stop;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a run came to its end.
 *
 * @param started when the load started
 * @param hazards what was known beforehand to go wrong under this load
 * @param reason why it ended early; null where it did not
 * @param warmupCut what the warm-up had not reached when its limit ended it; null where it was not cut
 * @param backlog operations that were due and not begun at the measurement's end; null in a closed load
 * @param hung clients whose operation of before the measurement had not ended at the end of the drain
 * @param drainSeconds how long the run waited for operations under way
 */
record RunEnd(
        Instant started,
        List<String> hazards,
        Stop.@Nullable Reason reason,
        @Nullable String warmupCut,
        @Nullable Long backlog,
        int hung,
        double drainSeconds) {}
