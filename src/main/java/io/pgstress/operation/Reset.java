package io.pgstress.operation;

/** What the copy table has to be before an operation runs. */
public enum Reset {
    /** Left alone. */
    NONE,
    /** Empty. */
    EMPTY_COPY,
    /** A copy of the table, row by row. */
    FILL_COPY
}
