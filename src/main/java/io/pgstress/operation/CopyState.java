package io.pgstress.operation;

/** The required state of the copy table before an operation runs. */
public enum CopyState {
    /** Not used. */
    UNUSED,
    /** Exists, with any rows; created empty if missing. */
    PRESENT,
    /** Empty. */
    EMPTY,
    /** A copy of the rows of the table whose ids can be drawn, or of a slice of them. */
    DRAWN,
    /** A copy of the table, row by row. */
    FULL;

    /** Whether the run itself brings the table into this state. */
    public boolean isReset() {
        return this == EMPTY || isFilled();
    }

    /** Whether the table has rows in this state. */
    public boolean isFilled() {
        return this == DRAWN || this == FULL;
    }
}
