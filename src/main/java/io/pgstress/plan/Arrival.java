package io.pgstress.plan;

/** The distribution of the scheduled starts of an open load. */
public enum Arrival {
    /** At equal intervals. */
    UNIFORM,
    /** Like independent users: with exponentially distributed intervals. */
    POISSON
}
