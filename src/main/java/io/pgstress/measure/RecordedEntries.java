package io.pgstress.measure;

/**
 * Reads the operations that a {@link ClientRecorder} has appended to its array. The first long of an entry combines its length
 * in longs, the retries, the operation and the outcome; the times follow, then two longs per statement. Immutable.
 */
final class RecordedEntries {
    /** Number of longs of an entry before those of its statements. */
    static final int HEAD = 7;

    /** Number of low bits that hold a statement's number; the time is above them. */
    static final int STATEMENT_BITS = 8;

    /** Marks an operation that started in the warm-up; it counts in the rate only. */
    static final long CARRIED = Long.MIN_VALUE;

    private final Outcome[] outcomes = Outcome.values();
    private final int node;
    private final long latencyLimit;

    RecordedEntries(int node, long latencyLimit) {
        this.node = node;
        this.latencyLimit = latencyLimit;
    }

    /** Adds all entries to an interval, whose lock the caller holds. */
    void addTo(IntervalData interval, long[] buffer, int used) {
        for (int at = 0; at < used; ) {
            at = add(interval, buffer, at);
        }
    }

    /** Adds the entry at this index; returns the index of the next one. */
    private int add(IntervalData interval, long[] buffer, int at) {
        long head = buffer[at];
        int next = at + (int) (head >>> 32 & Integer.MAX_VALUE);
        Cell cell = interval.cell(node, (int) (head >>> 4) & 0xfff);
        Outcome outcome = outcomes[(int) head & 7];
        if (head < 0) {
            cell.carried[outcome.ordinal()]++;
            cell.carriedRows += outcome == Outcome.OK ? buffer[at + 5] : 0;
            cell.carriedNanos += buffer[at + 1];
            return next;
        }
        boolean open = (head & 8) != 0;
        cell.outcomes[outcome.ordinal()]++;
        cell.retries += (head >>> 16) & 0xffff;
        long total = buffer[at + 1];
        long lag = -buffer[at + 4];
        if (outcome != Outcome.OK && outcome != Outcome.UNFINISHED) {
            cell.time(Time.FAILED, total);
        } else {
            cell.time(Time.TOTAL, total);
            if (outcome == Outcome.OK) {
                cell.time(Time.ACQUIRE, buffer[at + 2]);
                cell.time(Time.SERVICE, buffer[at + 3]);
                cell.rows += buffer[at + 5];
                if (buffer[at + 6] > 0) {
                    cell.time(Time.FETCH, buffer[at + 6]);
                }
            }
            if (open) {
                cell.time(Time.RESPONSE, total + lag);
            }
        }
        if (open) {
            cell.time(Time.LAG, lag);
        }
        if ((open ? total + lag : total) > latencyLimit) {
            cell.late++;
        }
        for (int s = at + HEAD; s < next; s += 2) {
            cell.statements[(int) buffer[s] & 0xff].record(buffer[s] >>> STATEMENT_BITS, buffer[s + 1]);
        }
        return next;
    }
}
