package io.pgstress.plan;

/** How the scheduled starts of an open load lie in time. */
public enum Arrival {
    /** At equal distances. */
    UNIFORM,
    /** As independent users would come: exponentially distributed distances. */
    POISSON
}
