package io.pgstress.plan;

/** How often each id is drawn. */
public enum KeyDistribution {
    /** All ids equally often. */
    UNIFORM,
    /** A few ids very often, most of them rarely: Zipf's law with exponent 0.99, as in YCSB, over shuffled ids. */
    ZIPFIAN,
    /** One after another, each client from its own position. */
    SEQUENTIAL
}
