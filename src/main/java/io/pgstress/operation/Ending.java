package io.pgstress.operation;

/** The outcome of an operation that did not fail. */
public enum Ending {
    OK,
    /** A read found no row. */
    MISS,
    /** An insert met an existing key. */
    DUPLICATE
}
