package io.pgstress.measure;

import org.jspecify.annotations.Nullable;

/** The counts and times of one statement of an operation. Not thread-safe. */
public final class StatementCell {
    long calls;
    long rows;

    @Nullable
    LatencyHistogram times;

    public long calls() {
        return calls;
    }

    /** Rows read or changed. */
    public long rows() {
        return rows;
    }

    /** From the first byte sent to the last row read; null if the statement never ran. */
    public @Nullable LatencyHistogram times() {
        return times;
    }

    void record(long nanos, long rows) {
        if (times == null) {
            times = new LatencyHistogram();
        }
        times.record(nanos);
        calls++;
        this.rows += rows;
    }

    void add(StatementCell other) {
        calls += other.calls;
        rows += other.rows;
        times = Cell.sum(times, other.times);
    }
}
