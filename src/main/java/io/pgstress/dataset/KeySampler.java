package io.pgstress.dataset;

/** Draws the places of ids, one client's own. Not thread-safe. */
public interface KeySampler {
    /** A place from 0 to the number of ids - 1. */
    int next();

    /** A number from 0 to bound - 1, from the same source of randomness. */
    int below(int bound);
}
