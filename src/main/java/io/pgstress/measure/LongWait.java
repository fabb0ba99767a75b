package io.pgstress.measure;

/**
 * A period in which one client tried but had no success: one long operation, or failures and the operations up to the next
 * success. Times are nanoseconds since the start of the load, pauses excluded.
 *
 * @param since the start of its first operation
 * @param end the end of the next success, or of the last operation if there was none
 * @param idle time within it, between the last failure and the success, when no operation was running
 * @param failed operations that failed or did not finish
 * @param longest the time of its longest operation
 * @param operation the number of that operation
 */
public record LongWait(long since, long end, long idle, long failed, long longest, int operation) {
    /** The time that the client tried. */
    public long tried() {
        return end - since - idle;
    }
}
