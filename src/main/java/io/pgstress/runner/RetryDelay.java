package io.pgstress.runner;

import io.pgstress.dataset.SplitMix;
import java.sql.SQLException;

/**
 * The wait before a retry: the limit doubles each time, and the wait is random between half the limit and the
 * whole limit (equal jitter; Brooker: Exponential Backoff and Jitter, 2015). Not thread-safe.
 */
public final class RetryDelay {
    private static final int FIRST_RETRY_MICROS = 1_000;
    private static final int MAX_RETRY_MICROS = 100_000;
    private static final int FIRST_RECONNECT_MICROS = 50_000;
    private static final int MAX_RECONNECT_MICROS = 1_000_000;

    private final SplitMix random;
    private int lost;

    public RetryDelay(SplitMix random) {
        this.random = random;
    }

    /** Whether a retry of the operation may succeed: serialization failure, deadlock. */
    static boolean isRetryable(SQLException e) {
        return "40001".equals(e.getSQLState()) || "40P01".equals(e.getSQLState());
    }

    /** @param tries number of executions so far, at least 1 */
    void beforeRetry(int tries) throws InterruptedException {
        sleep(Math.min(MAX_RETRY_MICROS, FIRST_RETRY_MICROS << Math.min(tries - 1, 10)));
    }

    void beforeReconnect() throws InterruptedException {
        sleep(Math.min(MAX_RECONNECT_MICROS, FIRST_RECONNECT_MICROS << Math.min(lost, 10)));
        lost++;
    }

    /** Resets the delay after a success. */
    void reset() {
        lost = 0;
    }

    private void sleep(int micros) throws InterruptedException {
        int length = micros / 2 + random.below(micros / 2 + 1);
        Thread.sleep(length / 1000, length % 1000 * 1000);
    }
}
