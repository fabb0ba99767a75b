package io.pgstress.measure;

import org.jspecify.annotations.Nullable;

/**
 * Records when one client's operations were answered, and its longest waits for an answer. A miss and a duplicate are answers
 * too. Written by the client's thread only, at the cost of two comparisons per operation. Any thread may call {@link #waits}
 * once the client has ended or its operation was claimed.
 */
final class SuccessTracker {
    /** Shorter operations are never kept. */
    static final long MIN_NANOS = ClientRecorder.LONG_NANOS;

    /** Number of waits kept, the longest ones. */
    static final int MAX_WAITS = 32;

    private final SuccessTimes times;
    private final @Nullable LongWait[] waits = new LongWait[MAX_WAITS];
    private int kept;
    private long shortest;
    private long nextMilli;
    private int slot;
    private int ok;
    private long failed;
    private long since;
    private long lastEnd;
    private long longest;
    private int operation;

    SuccessTracker(SuccessTimes times) {
        this.times = times;
        times.add(this);
    }

    /** Records the end of an operation; times are the clock's. */
    void ended(Outcome outcome, int number, long start, long end, long origin) {
        if (outcome == Outcome.FAILED || outcome == Outcome.UNFINISHED) {
            failed(number, start - origin, end - origin);
            return;
        }
        if (failed > 0 || end - start > MIN_NANOS) {
            waited(number, start - origin, end - origin);
        }
        if (end - origin >= nextMilli) {
            mark(end - origin);
        }
        if (outcome == Outcome.OK) {
            ok++;
        }
    }

    private void mark(long at) {
        long milli = at / SuccessTimes.MILLI;
        int now = SuccessTimes.slot(milli);
        if (now != slot) {
            handOver();
            slot = now;
        }
        times.mark(milli);
        nextMilli = (milli + 1) * SuccessTimes.MILLI;
    }

    private void handOver() {
        if (ok > 0) {
            times.count(slot, ok);
            ok = 0;
        }
    }

    private void failed(int number, long start, long end) {
        if (failed == 0) {
            since = start;
            longest = 0;
        }
        failed++;
        longer(number, end - start);
        lastEnd = end;
    }

    private void waited(int number, long start, long end) {
        boolean isAfterFailures = failed > 0;
        if (!isAfterFailures) {
            since = start;
            longest = 0;
        }
        longer(number, end - start);
        keep(end, isAfterFailures ? start - lastEnd : 0);
        failed = 0;
    }

    private void longer(int number, long nanos) {
        if (nanos >= longest) {
            longest = nanos;
            operation = number;
        }
    }

    private void keep(long end, long idle) {
        if (end - since - idle <= shortest) {
            return;
        }
        waits[kept < MAX_WAITS ? kept++ : indexOfShortest()] =
                new LongWait(since, end, idle, failed, longest, operation);
        LongWait least = kept < MAX_WAITS ? null : waits[indexOfShortest()];
        shortest = least == null ? 0 : least.tried();
    }

    private int indexOfShortest() {
        int index = 0;
        long least = Long.MAX_VALUE;
        for (int i = 0; i < kept; i++) {
            LongWait wait = waits[i];
            if (wait != null && wait.tried() < least) {
                least = wait.tried();
                index = i;
            }
        }
        return index;
    }

    /** Call it when the client has ended. */
    void finish() {
        handOver();
    }

    /** Adds its waits to the list, including failures with no success after them. */
    void waits(java.util.List<LongWait> into) {
        for (LongWait wait : waits) {
            if (wait != null) {
                into.add(wait);
            }
        }
        if (failed > 0) {
            into.add(new LongWait(since, lastEnd, 0, failed, longest, operation));
        }
    }
}
