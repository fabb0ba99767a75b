package io.pgstress.plan;

/** How often each id is drawn. */
public enum KeyDistribution {
    /** Every id as often as any other. */
    UNIFORM,
    /** Few ids very often, most seldom: exponent 0.99, as YCSB has it, over a shuffled order. */
    ZIPFIAN,
    /** One after the other, each client from its own place. */
    SEQUENTIAL
}
