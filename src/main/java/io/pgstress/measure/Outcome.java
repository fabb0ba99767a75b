package io.pgstress.measure;

/** What became of an operation; only {@link #OK} is work. */
public enum Outcome {
    OK,
    /** A read found no row. */
    MISS,
    /** An insert met a key that is there already. */
    DUPLICATE,
    /** It failed with an error of the server or the connection. */
    FAILED,
    /** It had not ended at the end of the drain; its time so far enters the percentiles. */
    UNFINISHED
}
