package io.pgstress.plan;

/** The distribution of the scheduled starts of an open loop. */
public enum Arrival {
    /** At equal intervals. */
    UNIFORM,
    /** Like independent users: with exponentially distributed intervals. */
    POISSON
}
