package io.pgstress.importer.index;

/** What an import does about the indexes of a dump. */
public enum IndexMode {
    /** It does not look at them. */
    NONE,
    /** It shows what it would create. */
    REPORT,
    /** It creates them after the rows. */
    CREATE
}
