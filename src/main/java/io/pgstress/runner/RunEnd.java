package io.pgstress.runner;

import org.jspecify.annotations.Nullable;

/**
 * How a run came to its end.
 *
 * @param reason why before its time; null where it was not
 * @param warmupCut what the warm-up had not reached when its limit ended it; null where it was not cut
 * @param backlog operations that were due and not begun at the measurement's end; null in a closed load
 * @param hung clients whose operation of before the measurement had not ended at the end of the drain
 * @param drainSeconds how long was waited for what was in flight
 */
record RunEnd(
        Stop.@Nullable Reason reason,
        @Nullable String warmupCut,
        @Nullable Long backlog,
        int hung,
        double drainSeconds) {}
