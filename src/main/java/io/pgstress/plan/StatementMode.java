package io.pgstress.plan;

import java.util.Locale;

/** How statements are sent to the server: pgbench's query modes in terms of JDBC. */
public enum StatementMode {
    /** A {@code Statement} with literals in its text. */
    PLAIN,
    /** An unnamed {@code PreparedStatement} that the server parses at every execution ({@code prepareThreshold=0}). */
    EXTENDED,
    /** A {@code PreparedStatement} that has a name on the server from its first execution ({@code prepareThreshold=1}). */
    PREPARED;

    /** The name on the command line and in results. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
