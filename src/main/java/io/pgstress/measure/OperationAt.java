package io.pgstress.measure;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Tells an observer which operation a client was in at an instant. The observer asks, and the client answers when the first operation
 * ends after that instant. An operation costs the client one read of a field that rarely changes. One thread asks, and one thread
 * at a time answers.
 */
public final class OperationAt {
    private static final VarHandle ASKED;
    private static final VarHandle ANSWERED;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            ASKED = lookup.findVarHandle(OperationAt.class, "asked", long.class);
            ANSWERED = lookup.findVarHandle(OperationAt.class, "answered", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private long asked;
    private long answered;
    private int session;
    private int operation;
    private boolean isCounted;
    private long start;
    private long connected;
    private long end;

    /**
     * An operation of a client. Times are those of the clock that clients use, in nanoseconds.
     *
     * @param session number of the server's process; 0: unknown
     * @param isCounted whether it succeeded or is unfinished, so that the percentiles include it
     * @param connected when it had its connection
     */
    public record Met(int session, int operation, boolean isCounted, long start, long connected, long end) {
        /** Whether it was in progress at this time. */
        public boolean contains(long nanos) {
            return start <= nanos && nanos <= end;
        }

        public long nanos() {
            return end - start;
        }
    }

    /** Asks for the first operation that ends at this time or later. The answer to an earlier question is lost. */
    public void ask(long nanos) {
        ASKED.setOpaque(this, nanos);
    }

    /** The answer to the last question; null if the operation has not ended. */
    public @Nullable Met answer() {
        return asked == (long) ANSWERED.getAcquire(this)
                ? new Met(session, operation, isCounted, start, connected, end)
                : null;
    }

    /** Says that an operation has ended. */
    void ended(int endedSession, int ended, Outcome outcome, long startNanos, long acquireNanos, long endNanos) {
        long question = (long) ASKED.getOpaque(this);
        if (endNanos >= question && answered != question) {
            session = endedSession;
            operation = ended;
            isCounted = outcome == Outcome.OK || outcome == Outcome.UNFINISHED;
            start = startNanos;
            connected = startNanos + acquireNanos;
            end = endNanos;
            ANSWERED.setRelease(this, question);
        }
    }
}
