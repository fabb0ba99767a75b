package io.pgstress.dataset;

/** Draws indexes of ids for one client. Not thread-safe. */
public interface KeySampler {
    /** An index from 0 to the number of ids - 1. */
    long next();

    /** A number from 0 to bound - 1, from the same source of randomness. */
    int below(int bound);
}
