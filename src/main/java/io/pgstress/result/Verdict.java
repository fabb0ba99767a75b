package io.pgstress.result;

/** How far a reader may use the figures of a {@link Result}. */
public enum Verdict {
    /** Without reservation. */
    VALID,
    /** Knowing the warnings. */
    VALID_WITH_WARNINGS,
    /** Not at all; the reasons say why. */
    NOT_VALID
}
