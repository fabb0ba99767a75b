package io.pgstress.measure;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts and times one client's operations. Written by the client's thread only. An ended operation is a few longs appended to
 * an array. After every {@value #BATCH} operations, after a long one, and at each interval's end, the array is added to the
 * shared {@link IntervalData} under its lock. So operations take no lock, touch no shared memory and allocate nothing, and a
 * thousand clients share one set of histograms. The recorder waits for a lock held by another client only when the array is
 * full.
 */
public final class ClientRecorder {
    /** Longer operations hand over the array at once, because their client would otherwise hold it for long. Nanoseconds. */
    public static final long LONG_NANOS = 20_000_000;

    private static final int BATCH = 128;
    private static final int LONGS = BATCH * 16;
    private static final VarHandle OK_SO_FAR;
    private static final VarHandle STARTED;

    /** The elements of {@link #ended}. Opaque access costs the client no fence, and other threads see whole values in order. */
    private static final VarHandle ENDED = MethodHandles.arrayElementVarHandle(long[].class);

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
    private final AtomicLong okMeasured = new AtomicLong();
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

    /** @param latencyLimitNanos operations that take longer are late; 0: no limit */
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

    /** Records the start of an operation, which the watchdog reads. */
    public void begin(long startNanos) {
        STARTED.setRelease(this, startNanos);
        entry = used + EntryLayout.STATEMENTS;
        service = 0;
        fetch = 0;
    }

    /** Records a successful statement of the current operation. */
    public void statement(int operation, int statement, long nanos, long rows, long fetchNanos) {
        calls[operation][statement]++;
        service += nanos;
        fetch += fetchNanos;
        if (entry + EntryLayout.LONGS_PER_STATEMENT > buffer.length) {
            buffer = java.util.Arrays.copyOf(buffer, buffer.length * 2);
        }
        buffer[entry] = EntryLayout.statement(statement, nanos);
        buffer[entry + 1] = rows;
        entry += EntryLayout.LONGS_PER_STATEMENT;
    }

    /**
     * Records the end of the current operation.
     *
     * @param scheduled its scheduled start, or its start in a closed load
     * @param open whether the load is open, so that there is a response time
     */
    public void end(
            int operation,
            Outcome outcome,
            boolean open,
            long scheduled,
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
        b[at] = EntryLayout.head(entry - at, retries, operation, became, open);
        b[at + EntryLayout.TOTAL] = end - start;
        b[at + EntryLayout.ACQUIRE] = acquireNanos;
        b[at + EntryLayout.SERVICE] = service;
        b[at + EntryLayout.LAG] = start - scheduled;
        b[at + EntryLayout.ROWS] = rows;
        b[at + EntryLayout.FETCH] = fetch;
        if (became != Outcome.FAILED) {
            ENDED.setOpaque(ended, operation, ended[operation] + 1);
        }
        if (became == Outcome.OK) {
            OK_SO_FAR.setOpaque(this, okSoFar + 1);
        }
        boolean isCounted = isCounted(scheduled);
        if (isCounted || isCarried()) {
            if (!isCounted) {
                b[at] |= EntryLayout.CARRIED;
                b[at + EntryLayout.TOTAL] = end - times.measureStart();
            }
            used = entry;
            if (++batched >= BATCH || used > LONGS / 2 || end - start > LONG_NANOS) {
                flush(used > LONGS - LONGS / 8);
            }
        }
    }

    @SuppressWarnings("ReferenceEquality") // each change creates a new object, and this runs for every operation
    private boolean haveTimesChanged() {
        return times != timeline.times();
    }

    /** Whether an operation with this scheduled start belongs to the phase of {@link #interval}. */
    private boolean isCounted(long scheduled) {
        return interval.phase() == Phase.WARMUP || scheduled >= times.measureStart();
    }

    /** Whether an operation that started in the warm-up ended within the measurement; it counts in the rate only. */
    private boolean isCarried() {
        return interval.phase() == Phase.MEASURE;
    }

    /** Records the error of an operation that ended as {@link Outcome#FAILED}. Call it after {@link #end}. */
    public void error(int operation, long scheduled, String sqlState, String message) {
        if (!isCounted(scheduled)) {
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
     * Claims the current operation, which began at this time, to count it as unfinished once the drain is closed. The client
     * and the watchdog may both call it; only one gets true.
     */
    public boolean claim(long startNanos) {
        return STARTED.compareAndSet(this, startNanos, 0L);
    }

    /** Records an operation that never ended. Called by the watchdog, which has claimed it. */
    public void unfinished(int operation, boolean open, long scheduled, long start, long now) {
        begin(start);
        end(operation, Outcome.UNFINISHED, open, scheduled, start, 0, now, 0, 0);
        flush();
    }

    /** Records an operation of an open load that was due but had not begun by the end of the drain. */
    public void neverBegun(int operation, long scheduled, long now) {
        if (scheduled >= timeline.measureStart()) {
            timeline.at(now).neverBegun(node, operation, now - scheduled, 1, latencyLimit);
        }
    }

    /** Rereads the boundaries, which a pause has moved. */
    public void resume(long now) {
        turn(now);
    }

    private void turn(long now) {
        int pending = entry - used;
        long[] statements = pending > EntryLayout.STATEMENTS ? java.util.Arrays.copyOfRange(buffer, used, entry) : null;
        flush(true);
        if (statements != null) {
            System.arraycopy(statements, 0, buffer, 0, statements.length);
        }
        entry = Math.max(EntryLayout.STATEMENTS, pending);
        times = timeline.times();
        interval = timeline.at(times, now);
        boundary = timeline.boundary(times, now);
    }

    /** Hands over the rest of the array. Call it when the client has ended. */
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
            int ok = entries.addTo(interval, buffer, used);
            if (interval.phase() == Phase.MEASURE) {
                okMeasured.setOpaque(okMeasured.getPlain() + ok);
            }
        } finally {
            interval.leave();
        }
        used = 0;
        batched = 0;
    }

    /** The number of the client's node. */
    public int node() {
        return node;
    }

    /**
     * Successful operations of the whole run so far, warm-up included; any thread may call it; the result may be slightly out
     * of date.
     */
    public long okSoFar() {
        return (long) OK_SO_FAR.getOpaque(this);
    }

    /** Successful operations that ended within the measurement; complete once the client has ended. Any thread may call it. */
    public long okMeasured() {
        return okMeasured.getOpaque();
    }

    /**
     * Operations of this number that ended in the whole run so far, except failed ones. Any thread may call it; the result may
     * be slightly out of date.
     */
    public long endedSoFar(int operation) {
        return (long) ENDED.getOpaque(ended, operation);
    }

    /** When the current operation began; 0 if there is none. Any thread may call it. */
    public long started() {
        return (long) STARTED.getAcquire(this);
    }

    /** Successful statements of the whole run, including warm-up and drain, as the server counts them. */
    public long calls(int operation, int statement) {
        return calls[operation][statement];
    }
}
