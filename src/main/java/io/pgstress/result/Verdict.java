package io.pgstress.result;

/** Whether the figures of a {@link Result} may be used. */
public enum Verdict {
    /** They may be used without reservation. */
    VALID,
    /** They may be used with regard to the warnings. */
    VALID_WITH_WARNINGS,
    /** They must not be used; the reasons say why. */
    NOT_VALID
}
