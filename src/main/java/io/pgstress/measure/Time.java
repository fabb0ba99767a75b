package io.pgstress.measure;

/** The times of an operation, each in its own histogram. */
public enum Time {
    /** From before the connection's acquire to after its return, with retries and backoff. */
    TOTAL,
    /** Waiting for a connection of the pool. */
    ACQUIRE,
    /** The sum of its statements, each from the first byte sent to the last row read. */
    SERVICE,
    /** The part of {@link #SERVICE} in which rows were read, after the first answer to a statement. */
    FETCH,
    /** From the intended start to the end; only an open load has one. */
    RESPONSE,
    /** How late it started after its intended start; only an open load has one. */
    LAG,
    /** Total of the operations that were a miss, a duplicate or a failure: in none of the others. */
    FAILED
}
