package io.pgstress.probe.waits;

import io.pgstress.result.OperationWaits.Sampling;
import io.pgstress.target.driver.ControlSql;
import io.pgstress.target.driver.ServerErrors;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;

/**
 * How often to sample: as often as the server's process needs for it no more than {@value #SHARE} of a core. Where its CPU time
 * cannot be read, the shortest duration of a sample stands for it. Not thread-safe, except {@link #nanos}.
 */
final class Pace {
    static final long MIN_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long FIRST_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long FAILED_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final long MAX_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** Half of what is permitted: the cost of a sample varies. */
    private static final double SHARE = 0.005;

    private static final int BATCH = 8;

    /** The first number is the time on a CPU in nanoseconds. */
    private static final String CPU = "select split_part(pg_read_file('/proc/self/schedstat', 0, 100, true), ' ', 1)";

    private volatile long nanos = FIRST_NANOS;
    private long count;
    private long least = Long.MAX_VALUE;
    private boolean hasCpu = true;
    private long firstAt;
    private long firstCpu;
    private long lastCpu;
    private double share;

    /** Until the next sample begins. */
    long nanos() {
        return nanos;
    }

    void failed() {
        nanos = FAILED_NANOS;
    }

    /** Records the duration of a sample, and now and then the CPU time of the process that answered it. */
    void took(long elapsed, Connection control) throws SQLException {
        least = Math.min(least, elapsed);
        if (count++ % BATCH == 0) {
            long cpu = cpu(control);
            long now = System.nanoTime();
            if (count == 1) {
                firstAt = now;
                firstCpu = cpu;
            } else {
                cost(hasCpu ? (cpu - lastCpu) / BATCH : least);
                share = hasCpu ? (double) (cpu - firstCpu) / (now - firstAt) : (double) least / nanos;
            }
            lastCpu = cpu;
            least = Long.MAX_VALUE;
        }
    }

    /** Sets the pace by the CPU time of a sample. */
    void cost(long perSample) {
        nanos = Math.max(MIN_NANOS, Math.min(MAX_NANOS, Math.round(perSample / SHARE)));
    }

    private long cpu(Connection control) throws SQLException {
        if (hasCpu) {
            try {
                return ControlSql.number(control, CPU);
            } catch (SQLException e) {
                if (!ServerErrors.sessionIsAlive(e)) {
                    throw e;
                }
                hasCpu = false; // what the role may not read is noted by others
            }
        }
        return 0;
    }

    /** The cost so far. */
    Sampling sampling(long samples) {
        return new Sampling(samples, nanos / 1e6, share, hasCpu && firstCpu > 0);
    }
}
