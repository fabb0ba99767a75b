package io.pgstress.measure;

/**
 * The layout of an ended operation in a {@link ClientRecorder}'s array of longs: a head, which combines the entry's length, the
 * retries, the operation and the outcome; the times and rows; then two longs per statement, which are the time combined with the
 * statement's number, and the rows.
 */
final class EntryLayout {
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
