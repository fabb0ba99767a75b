package io.pgstress.measure;

import io.pgstress.measure.SuccessTimes.SuccessTracker;
import io.pgstress.measure.Timeline.Times;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Counts and times one client's operations. Written by the client's thread only. An ended operation is a few longs appended to
 * an array. After every {@value #BATCH} operations, after a long one, at each interval's end, and before the client waits beyond
 * that end, the array is added to the shared {@link IntervalData} under its lock. So operations take no lock, touch no shared memory and allocate nothing, and a
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
    private final boolean[] expectsMisses;
    private final long[] ended;
    private final RecordedEntries entries;
    private final OperationAt operationAt = new OperationAt();
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
    private int session;
    private @Nullable OperationLog log;

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
        this.expectsMisses = new boolean[calls.length];
        for (int i = 0; i < calls.length; i++) {
            expectsMisses[i] = timeline.shapes().get(i).expectsMisses();
            calls[i] = new long[timeline.shapes().get(i).statements().size()];
        }
        this.times = timeline.times();
        this.interval = timeline.at(times, times.origin());
        this.boundary = timeline.boundary(times, times.origin());
    }

    /** Also tells this log of each operation. Call it before the client begins; null: there is no log. */
    public void logTo(@Nullable OperationLog receiver) {
        log = receiver;
    }

    /** Records the start of an operation, which the watchdog reads. */
    public void begin(long startNanos) {
        STARTED.setRelease(this, startNanos);
        entry = used + EntryLayout.STATEMENTS;
        service = 0;
        fetch = 0;
    }

    /** Records the server's process that the client's operations use from now on; 0: unknown. */
    public void session(int pid) {
        session = pid;
    }

    /** Records a successful statement of the current operation. */
    public void statementEnded(int operation, int statement, long nanos, long rows, long fetchNanos) {
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
     * @param scheduled its scheduled start, or its start in a closed loop
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
        successes.ended(asSuccess(became, operation), operation, start, end, times.origin());
        operationAt.ended(session, operation, became, start, acquireNanos, end);
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
        OperationLog receiver = log;
        if (receiver != null && isCounted && interval.phase() != Phase.WARMUP) {
            receiver.ended(operation, became, open, end - (open ? scheduled : start), start - scheduled, end, retries);
        }
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

    /** A miss or a duplicate of an operation that expects none interrupts its success, like a failure. */
    private Outcome asSuccess(Outcome outcome, int operation) {
        boolean isEmpty = outcome == Outcome.MISS || outcome == Outcome.DUPLICATE;
        return isEmpty && !expectsMisses[operation] ? Outcome.FAILED : outcome;
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

    /**
     * Records the error of an operation that ended as {@link Outcome#FAILED}. Call it after {@link #end}.
     *
     * @param sessionContinued whether the server itself reported it, on a session that can be used
     */
    public void error(int operation, long scheduled, String sqlState, String message, boolean sessionContinued) {
        if (!isCounted(scheduled)) {
            return;
        }
        interval.enter();
        try {
            interval.cell(node, operation).error(sqlState, message, sessionContinued);
        } finally {
            interval.leave();
        }
    }

    /** Records an error after which the operation was tried again. Call it after {@link #end}. */
    public void retried(int operation, long scheduled, String sqlState, String message) {
        if (!isCounted(scheduled)) {
            return;
        }
        interval.enter();
        try {
            interval.cell(node, operation).retried(sqlState, message);
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

    /**
     * Records an operation of this client that never ended. Called by the watchdog, which has claimed it.
     *
     * @param stuck the recorder of the client that is still in the operation
     */
    public void unfinished(ClientRecorder stuck, int operation, boolean open, long scheduled, long start, long now) {
        stuck.operationAt.ended(stuck.session, operation, Outcome.UNFINISHED, start, 0, now);
        begin(start);
        end(operation, Outcome.UNFINISHED, open, scheduled, start, 0, now, 0, 0);
        flush();
    }

    /** Records an operation of an open loop that was due but had not begun by the end of the drain. */
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
        handOverLog();
        if (statements != null) {
            System.arraycopy(statements, 0, buffer, 0, statements.length);
        }
        entry = Math.max(EntryLayout.STATEMENTS, pending);
        times = timeline.times();
        interval = timeline.at(times, now);
        boundary = timeline.boundary(times, now);
    }

    /**
     * Hands over the array if the current interval ends before this time. Call it before the client waits without an operation,
     * as in an open loop or for think time: who shows the interval then finds it complete.
     */
    public void idleUntil(long nanos) {
        if (nanos >= boundary || haveTimesChanged()) {
            flush(true);
            handOverLog();
        }
    }

    /** Says that the client has waited until now to connect again: in an outage, it tries. */
    public void triedUntil(long now) {
        successes.triedUntil(now, times.origin());
    }

    /** Hands over the rest of the array. Call it when the client has ended. */
    public void flush() {
        successes.finish();
        flush(true);
        handOverLog();
    }

    private void handOverLog() {
        OperationLog receiver = log;
        if (receiver != null) {
            receiver.handOver();
        }
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

    /** Tells which operation the client was in at a time. */
    public OperationAt operationAt() {
        return operationAt;
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

    /** Reads the operations that a {@link ClientRecorder} has appended to its array, see {@link EntryLayout}. Immutable. */
    static final class RecordedEntries {
        private final Outcome[] outcomes = Outcome.values();
        private final int node;
        private final long latencyLimit;

        RecordedEntries(int node, long latencyLimit) {
            this.node = node;
            this.latencyLimit = latencyLimit;
        }

        /** Adds all entries to an interval, whose lock the caller holds; returns how many of them succeeded. */
        int addTo(IntervalData interval, long[] buffer, int used) {
            int ok = 0;
            for (int at = 0; at < used; ) {
                ok += EntryLayout.outcome(buffer[at]) == Outcome.OK.ordinal() ? 1 : 0;
                at = add(interval, buffer, at);
            }
            return ok;
        }

        /** Adds the entry at this index; returns the index of the next one. */
        private int add(IntervalData interval, long[] buffer, int at) {
            long head = buffer[at];
            int next = at + EntryLayout.length(head);
            Cell cell = interval.cell(node, EntryLayout.operation(head));
            Outcome outcome = outcomes[EntryLayout.outcome(head)];
            if (EntryLayout.isCarried(head)) {
                cell.carried[outcome.ordinal()]++;
                cell.carriedRows += outcome == Outcome.OK ? buffer[at + EntryLayout.ROWS] : 0;
                cell.carriedNanos += buffer[at + EntryLayout.TOTAL];
                return next;
            }
            boolean open = EntryLayout.isOpen(head);
            cell.outcomes[outcome.ordinal()]++;
            cell.retries += EntryLayout.retries(head);
            long total = buffer[at + EntryLayout.TOTAL];
            long lag = buffer[at + EntryLayout.LAG];
            if (outcome != Outcome.OK && outcome != Outcome.UNFINISHED) {
                cell.time(Time.FAILED, total);
            } else {
                cell.time(Time.TOTAL, total);
                if (outcome == Outcome.OK) {
                    cell.time(Time.ACQUIRE, buffer[at + EntryLayout.ACQUIRE]);
                    cell.time(Time.SERVICE, buffer[at + EntryLayout.SERVICE]);
                    cell.rows += buffer[at + EntryLayout.ROWS];
                    if (buffer[at + EntryLayout.FETCH] > 0) {
                        cell.time(Time.FETCH, buffer[at + EntryLayout.FETCH]);
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
            for (int s = at + EntryLayout.STATEMENTS; s < next; s += EntryLayout.LONGS_PER_STATEMENT) {
                cell.statements[EntryLayout.statementOf(buffer[s])].record(
                        EntryLayout.nanosOf(buffer[s]), buffer[s + 1]);
            }
            return next;
        }
    }

    /**
     * The layout of an ended operation in a {@link ClientRecorder}'s array of longs: a head, which combines the entry's length, the
     * retries, the operation and the outcome; the times and rows; then two longs per statement, which are the time combined with the
     * statement's number, and the rows.
     */
    static final class EntryLayout {
        /** Indexes from the start of an entry. Times are in nanoseconds. */
        static final int TOTAL = 1;

        static final int ACQUIRE = 2;
        static final int SERVICE = 3;

        /** The start minus the scheduled start. */
        static final int LAG = 4;

        static final int ROWS = 5;
        static final int FETCH = 6;

        /** The first statement. */
        static final int STATEMENTS = 7;

        static final int LONGS_PER_STATEMENT = 2;

        /** Marks the head of an operation that started in the warm-up; it counts in the rate only. */
        static final long CARRIED = Long.MIN_VALUE;

        private static final int OPEN = 1 << 3;
        private static final int OUTCOME_MASK = OPEN - 1;
        private static final int OPERATION_SHIFT = 4;
        private static final int OPERATION_MASK = 0xfff;
        private static final int RETRIES_SHIFT = 16;
        private static final int RETRIES_MASK = 0xffff;
        private static final int LENGTH_SHIFT = 32;
        private static final int STATEMENT_BITS = 8;
        private static final int STATEMENT_MASK = (1 << STATEMENT_BITS) - 1;

        private EntryLayout() {}

        /** @param length of the entry in longs */
        static long head(int length, int retries, int operation, Outcome outcome, boolean open) {
            return (long) length << LENGTH_SHIFT
                    | (long) retries << RETRIES_SHIFT
                    | operation << OPERATION_SHIFT
                    | outcome.ordinal()
                    | (open ? OPEN : 0);
        }

        static int length(long head) {
            return (int) (head >>> LENGTH_SHIFT & Integer.MAX_VALUE);
        }

        static long retries(long head) {
            return head >>> RETRIES_SHIFT & RETRIES_MASK;
        }

        static int operation(long head) {
            return (int) (head >>> OPERATION_SHIFT) & OPERATION_MASK;
        }

        /** The ordinal of the outcome. */
        static int outcome(long head) {
            return (int) head & OUTCOME_MASK;
        }

        /** Whether the load is open. */
        static boolean isOpen(long head) {
            return (head & OPEN) != 0;
        }

        static boolean isCarried(long head) {
            return head < 0;
        }

        static long statement(int statement, long nanos) {
            return nanos << STATEMENT_BITS | statement;
        }

        static int statementOf(long value) {
            return (int) value & STATEMENT_MASK;
        }

        static long nanosOf(long value) {
            return value >>> STATEMENT_BITS;
        }
    }
}
