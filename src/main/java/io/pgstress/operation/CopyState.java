package io.pgstress.operation;

/** What the copy table must be before an operation runs. */
public enum CopyState {
    /** Not used. */
    UNUSED,
    /** Existing, with any rows; a missing one is created empty. */
    PRESENT,
    /** Empty. */
    EMPTY,
    /** A copy of the table, row by row. */
    FULL;

    /** Whether the run brings the table into this state. */
    public boolean isReset() {
        return this == EMPTY || this == FULL;
    }
}
