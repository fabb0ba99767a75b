package io.pgstress.measure;

/** How an operation ended; only {@link #OK} counts as work. */
public enum Outcome {
    OK,
    /** A read found no row. */
    MISS,
    /** An insert found that its key already exists. */
    DUPLICATE,
    /** It failed with a server or connection error. */
    FAILED,
    /** It had not ended at the end of the drain; its time so far enters the percentiles. */
    UNFINISHED
}
