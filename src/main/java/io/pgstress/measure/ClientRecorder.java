package io.pgstress.measure;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * What one client counts and times. It has one writer, the client's thread. An ended operation is some longs appended to
 * an array; every {@value #BATCH} operations, after one that took long, and at each interval's end, they go to the shared {@link IntervalData}
 * under its lock: so the operations themselves take no lock, touch no shared memory and allocate nothing, and a thousand
 * clients need one set of histograms, not a thousand. A lock that is held by another is not waited for until the array
 * is full.
 */
public final class ClientRecorder {
    /** Operations that take longer hand over at once what was gathered: their client would hold it for long. Nanoseconds. */
    public static final long LONG_NANOS = 20_000_000;

    private static final int BATCH = 128;
    private static final int LONGS = BATCH * 16;
    private static final VarHandle OK_SO_FAR;
    private static final VarHandle STARTED;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            OK_SO_FAR = lookup.findVarHandle(ClientRecorder.class, "okSoFar", long.class);
            STARTED = lookup.findVarHandle(ClientRecorder.class, "started", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Timeline timeline;
    private final SuccessTracker successes;
    private final int node;
    private final long latencyLimit;
    private final long[][] calls;
    private final long[] ended;
    private final RecordedEntries entries;
    private long[] buffer = new long[LONGS];
    private int used;
    private int entry;
    private int batched;
    private long service;
    private long fetch;
    private Times times;
    private IntervalData interval;
    private long boundary;
    private long okSoFar;

    @SuppressWarnings("UnusedVariable") // read and written through its VarHandle
    private long started;

    /** @param latencyLimitNanos operations over it are late; 0: no limit */
    public ClientRecorder(Timeline timeline, int node, long latencyLimitNanos) {
        this.timeline = timeline;
        this.successes = new SuccessTracker(timeline.successes(node));
        this.node = node;
        this.latencyLimit = latencyLimitNanos == 0 ? Long.MAX_VALUE : latencyLimitNanos;
        this.entries = new RecordedEntries(node, latencyLimit);
        this.calls = new long[timeline.shapes().size()][];
        this.ended = new long[calls.length];
        for (int i = 0; i < calls.length; i++) {
            calls[i] = new long[timeline.shapes().get(i).statements().size()];
        }
        this.times = timeline.times();
        this.interval = timeline.at(times, times.origin());
        this.boundary = timeline.boundary(times, times.origin());
    }

    /** An operation begins; the watchdog reads this. */
    public void begin(long startNanos) {
        STARTED.setRelease(this, startNanos);
        entry = used + RecordedEntries.HEAD;
        service = 0;
        fetch = 0;
    }

    /** A statement of the operation under way ended well. */
    public void statement(int operation, int statement, long nanos, long rows, long fetchNanos) {
        calls[operation][statement]++;
        service += nanos;
        fetch += fetchNanos;
        if (entry + 2 > buffer.length) {
            buffer = java.util.Arrays.copyOf(buffer, buffer.length * 2);
        }
        buffer[entry] = nanos << RecordedEntries.STATEMENT_BITS | statement;
        buffer[entry + 1] = rows;
        entry += 2;
    }

    /**
     * The operation under way ended.
     *
     * @param intended its intended start, or its start in a closed load
     * @param open whether the load is open, so that the response time means something
     */
    public void end(
            int operation,
            Outcome outcome,
            boolean open,
            long intended,
            long start,
            long acquireNanos,
            long end,
            long rows,
            int retries) {
        Outcome became = outcome;
        if (timeline.drainIsOver()) {
            if (!claim(start)) {
                return; // the watchdog has counted it
            }
            became = Outcome.UNFINISHED;
        } else {
            STARTED.setOpaque(this, 0L);
        }
        if (end >= boundary || haveTimesChanged()) {
            turn(end);
        }
        successes.ended(became, operation, start, end, times.origin());
        long[] b = buffer;
        int at = used;
        b[at] = (long) (entry - at) << 32 | (long) retries << 16 | operation << 4 | became.ordinal() | (open ? 8 : 0);
        b[at + 1] = end - start;
        b[at + 2] = acquireNanos;
        b[at + 3] = service;
        b[at + 4] = intended - start;
        b[at + 5] = rows;
        b[at + 6] = fetch;
        if (became != Outcome.FAILED) {
            ended[operation]++;
        }
        if (became == Outcome.OK) {
            OK_SO_FAR.setOpaque(this, okSoFar + 1);
        }
        boolean isCounted = isCounted(intended);
        if (isCounted || isCarried()) {
            if (!isCounted) {
                b[at] |= RecordedEntries.CARRIED;
                b[at + 1] = end - times.measureStart();
            }
            used = entry;
            if (++batched >= BATCH || used > LONGS / 2 || end - start > LONG_NANOS) {
                flush(used > LONGS - LONGS / 8);
            }
        }
    }

    @SuppressWarnings("ReferenceEquality") // each change makes another object, and this is asked at every operation
    private boolean haveTimesChanged() {
        return times != timeline.times();
    }

    /** Whether an operation with this intended start belongs to what {@link #interval} belongs to. */
    private boolean isCounted(long intended) {
        return interval.phase() == IntervalData.Phase.WARMUP || intended >= times.measureStart();
    }

    /** Whether an operation that the warm-up began has ended within the measurement: it counts in the rate, and nowhere else. */
    private boolean isCarried() {
        return interval.phase() == IntervalData.Phase.MEASURE;
    }

    /** The error of an operation that ended as {@link Outcome#FAILED}; to be called after its end. */
    public void error(int operation, long intended, String sqlState, String message) {
        if (!isCounted(intended)) {
            return;
        }
        interval.enter();
        try {
            interval.cell(node, operation).error(sqlState, message);
        } finally {
            interval.leave();
        }
    }

    /**
     * Takes over the operation under way that began then, to count it as unfinished once the drain is closed. The client
     * and the watchdog may both call it; one of them gets true.
     */
    public boolean claim(long startNanos) {
        return STARTED.compareAndSet(this, startNanos, 0L);
    }

    /** An operation of another thread's client that never ended, recorded by the watchdog that has claimed it. */
    public void unfinished(int operation, boolean open, long intended, long start, long now) {
        begin(start);
        end(operation, Outcome.UNFINISHED, open, intended, start, 0, now, 0, 0);
        flush();
    }

    /** An operation of an open load that was due and, at the end of the drain, not begun. */
    public void neverBegun(int operation, long intended, long now) {
        if (intended >= timeline.measureStart()) {
            timeline.at(now).neverBegun(node, operation, now - intended, 1, latencyLimit);
        }
    }

    /** After a pause: the boundaries have moved. */
    public void resume(long now) {
        turn(now);
    }

    private void turn(long now) {
        int pending = entry - used;
        long[] statements = pending > RecordedEntries.HEAD ? java.util.Arrays.copyOfRange(buffer, used, entry) : null;
        flush(true);
        if (statements != null) {
            System.arraycopy(statements, 0, buffer, 0, statements.length);
        }
        entry = Math.max(RecordedEntries.HEAD, pending);
        times = timeline.times();
        interval = timeline.at(times, now);
        boundary = timeline.boundary(times, now);
    }

    /** Hands over what is left; to be called when the client has ended. */
    public void flush() {
        successes.finish();
        flush(true);
    }

    private void flush(boolean must) {
        if (used == 0) {
            return;
        }
        if (must) {
            interval.enter();
        } else if (!interval.tryEnter()) {
            return;
        }
        try {
            entries.addTo(interval, buffer, used);
        } finally {
            interval.leave();
        }
        used = 0;
        batched = 0;
    }

    /** The number of the node that its client works on. */
    public int node() {
        return node;
    }

    /** Successful operations of the whole run so far, warm-up included; any thread may ask, the answer may be a moment old. */
    public long okSoFar() {
        return (long) OK_SO_FAR.getOpaque(this);
    }

    /**
     * Operations of this number that ended in the whole run so far, failed ones left out; any thread may ask, the answer may be
     * a moment old.
     */
    public long endedSoFar(int operation) {
        return ended[operation];
    }

    /** When the operation under way began, 0 where none is; any thread may ask. */
    public long started() {
        return (long) STARTED.getAcquire(this);
    }

    /** Statements that ended well in the whole run, warm-up and drain included: what the server counted too. */
    public long calls(int operation, int statement) {
        return calls[operation][statement];
    }
}
