package io.pgstress.probe;

import java.util.concurrent.TimeUnit;

/**
 * Decides how long to wait for the load's sessions to end. They end one after another, so a thousand take longer than ten: it is
 * worth waiting while some are ending. Not thread-safe.
 */
final class EndingSessions {
    /** If none has ended for this long, waiting is in vain. */
    static final long MAX_STANDSTILL_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Half of the time that a server has for all questions after the load. */
    static final long MAX_WAIT_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final long start;
    private long left;
    private long lastEnd;

    /** @param left number of sessions that have not ended at {@code start}, a {@link System#nanoTime} */
    EndingSessions(long left, long start) {
        this.left = left;
        this.start = start;
        this.lastEnd = start;
    }

    /** Records how many are left; returns whether to go on waiting. */
    boolean isWorthWaiting(long nowLeft, long now) {
        lastEnd = nowLeft < left ? now : lastEnd;
        left = nowLeft;
        return left > 0 && now - lastEnd < MAX_STANDSTILL_NANOS && now - start < MAX_WAIT_NANOS;
    }
}
