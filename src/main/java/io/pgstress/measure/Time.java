package io.pgstress.measure;

/** The times of an operation, each in its own histogram. */
public enum Time {
    /** From before the connection is acquired to after it is returned, including retries and backoff. */
    TOTAL,
    /** Waiting for a pooled connection. */
    ACQUIRE,
    /** The sum of its statements, each from the first byte sent to the last row read. */
    SERVICE,
    /** The part of {@link #SERVICE} in which rows were read, after the first answer to a statement. */
    FETCH,
    /** From the scheduled start to the end; open loops only. */
    RESPONSE,
    /** From the scheduled start to the actual start; open loops only. */
    LAG,
    /** Total time of operations that were a miss, a duplicate or a failure; they are in no other histogram. */
    FAILED
}
