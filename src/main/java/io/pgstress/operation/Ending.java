package io.pgstress.operation;

/** How an operation ended, where it did not fail. */
public enum Ending {
    OK,
    /** A read found no row. */
    MISS,
    /** An insert met a key that is there already. */
    DUPLICATE
}
