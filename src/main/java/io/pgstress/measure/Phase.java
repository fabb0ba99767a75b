package io.pgstress.measure;

import java.util.Locale;

/** The phases of a run, in order. Operations run in the warm-up, the measurement and the drain. */
public enum Phase {
    /** The clients connect. */
    CONNECT,
    WARMUP,
    MEASURE,
    /** No operation begins; those in progress end. */
    DRAIN,
    /** The tables are checked. */
    CHECK;

    private final String label = name().toLowerCase(Locale.ROOT);

    /** The phase's name in results and progress. */
    public String label() {
        return label;
    }
}
