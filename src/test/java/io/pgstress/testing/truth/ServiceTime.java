package io.pgstress.testing.truth;

/** The time that a server takes to answer. Thread-safe. */
@FunctionalInterface
public interface ServiceTime {
    /**
     * The time from the receipt of a statement to its answer, in nanoseconds.
     *
     * @param number the statement's place in the order of receipt, from 0
     * @param sinceFirst nanoseconds from the receipt of the first statement to that of this one
     */
    long nanos(int number, long sinceFirst);
}
