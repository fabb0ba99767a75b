package io.pgstress.plan;

/** How often each id is drawn. */
public enum KeyDistribution {
    /** All ids equally often. */
    UNIFORM,
    /** A few ids very often, most of them rarely: Zipf's law with exponent 0.99, as in YCSB, over shuffled ids. */
    ZIPFIAN,
    /**
     * As sysbench's {@code --rand-type=special}, its default up to 1.0, with its default parameters: three quarters of the draws
     * are from the middle hundredth, the others are means of 12 uniform draws.
     */
    SPECIAL,
    /** One after another, each client from its own position. */
    SEQUENTIAL
}
