package io.pgstress.measure;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;

/**
 * Tells an observer which operations a client was in from an instant on. The observer asks, and the client answers with the first
 * {@value #KEPT} operations that end after that instant. An operation costs the client one read of a field that rarely changes. One
 * thread asks, and one thread at a time answers.
 */
public final class OperationAt {
    /** On a busy machine, the server's look is later than the question by dozens of short operations, which 16 would have left out. */
    static final int KEPT = 64;

    private static final int LONGS = 5;
    private static final int COUNT_BITS = 8;
    private static final long COUNTED = 1L << 62;
    private static final VarHandle QUESTION;
    private static final VarHandle ANSWERED;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            QUESTION = lookup.findVarHandle(OperationAt.class, "question", long.class);
            ANSWERED = lookup.findVarHandle(OperationAt.class, "answered", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final long[] answer = new long[KEPT * LONGS];

    /** The number of the last question, which publishes its time. */
    private long question;

    private long asked;

    /** The number of the question and that of the operations in the answer, which publishes them. */
    @SuppressWarnings("UnusedVariable") // read and written through its VarHandle
    private long answered;

    private long current;
    private int count = KEPT;

    /**
     * An operation of a client. Times are those of the clock that clients use, in nanoseconds.
     *
     * @param session number of the server's process; 0: unknown
     * @param isCounted whether it succeeded or is unfinished, so that the percentiles include it
     * @param connected when it had its connection
     */
    public record RunningOperation(
            int session, int operation, boolean isCounted, long start, long connected, long end) {
        /** Whether it was in progress at this time. */
        public boolean contains(long nanos) {
            return start <= nanos && nanos <= end;
        }

        public long nanos() {
            return end - start;
        }
    }

    /** Asks for the operations that end at this time or later. The answer to an earlier question is lost. */
    public void ask(long nanos) {
        asked = nanos;
        QUESTION.setRelease(this, question + 1);
    }

    /** The operations that have ended since the last question, in order; at most {@value #KEPT}. */
    public List<RunningOperation> answer() {
        long state = (long) ANSWERED.getAcquire(this);
        List<RunningOperation> all = new ArrayList<>();
        if (state >>> COUNT_BITS == question) {
            long ended = state & ((1 << COUNT_BITS) - 1);
            for (int at = 0; at < ended * LONGS; at += LONGS) {
                long head = answer[at + 1];
                all.add(new RunningOperation(
                        (int) answer[at],
                        (int) head,
                        (head & COUNTED) != 0,
                        answer[at + 2],
                        answer[at + 3],
                        answer[at + 4]));
            }
        }
        return all;
    }

    /** Whether the answer to the last question is as long as it can be. */
    public boolean isFull() {
        return (long) ANSWERED.getAcquire(this) == (question << COUNT_BITS | KEPT);
    }

    /** Says that an operation has ended. */
    void ended(int session, int operation, Outcome outcome, long start, long acquireNanos, long end) {
        if ((long) QUESTION.getOpaque(this) == current) {
            if (count == KEPT) {
                return;
            }
        } else {
            long now = (long) QUESTION.getAcquire(this);
            if (end < asked) {
                return;
            }
            current = now;
            count = 0;
        }
        int at = count * LONGS;
        answer[at] = session;
        answer[at + 1] = operation | (outcome == Outcome.OK || outcome == Outcome.UNFINISHED ? COUNTED : 0);
        answer[at + 2] = start;
        answer[at + 3] = start + acquireNanos;
        answer[at + 4] = end;
        ANSWERED.setRelease(this, current << COUNT_BITS | ++count);
    }
}
