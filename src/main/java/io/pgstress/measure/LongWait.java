package io.pgstress.measure;

/**
 * A time in which one client had no success although it tried: an operation that took long, or failures and the operations up to
 * the next success. Times are nanoseconds since the start of the load, pauses excluded.
 *
 * @param since the start of its first operation
 * @param end the end of the success, or of the last operation where none followed
 * @param idle of it, how long no operation was under way between the last failure and the success
 * @param failed operations that failed or did not finish
 * @param longest the time of its longest operation
 * @param operation the number of that operation
 */
public record LongWait(long since, long end, long idle, long failed, long longest, int operation) {
    /** For how long the client tried. */
    public long tried() {
        return end - since - idle;
    }
}
