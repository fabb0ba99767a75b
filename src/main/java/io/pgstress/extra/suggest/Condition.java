package io.pgstress.extra.suggest;

/** What a filter requires of one field. */
public sealed interface Condition {
    /** Conditions without details. */
    enum Plain implements Condition {
        EQUAL,
        NOT_EQUAL,
        /** Null or missing. */
        NULL,
        /** Neither null nor missing. */
        NOT_NULL,
        PRESENT,
        ABSENT,
        /** An array of a certain number of elements. */
        LENGTH
    }

    /**
     * A range.
     *
     * @param from whether it has a lower bound
     * @param to whether it has an upper bound
     */
    record Range(boolean from, boolean to) implements Condition {}

    /**
     * One of several values.
     *
     * @param count number of values, rounded up to a power of two
     * @param negated none of the values
     */
    record In(int count, boolean negated) implements Condition {}

    /** An array with all of these values. */
    record Contains(int count) implements Condition {}

    /**
     * A string that a regular expression without special characters matches.
     *
     * @param anyCase whether upper and lower case are the same
     * @param length characters of the expression, rounded up to a power of two
     */
    record Text(Part part, boolean anyCase, int length) implements Condition {}

    /** The part of the string that the expression describes. */
    enum Part {
        BEGINNING,
        ANYWHERE,
        WHOLE
    }

    /** The greatest size that shapes distinguish. */
    int MAX_SIZE = 1 << 20;

    /** Sizes that differ little are one shape: the next power of two, from 1 to {@link #MAX_SIZE}. */
    static int rounded(int size) {
        int power = 1;
        while (power < size && power < MAX_SIZE) {
            power *= 2;
        }
        return power;
    }
}
