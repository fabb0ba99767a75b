package io.pgstress.plan;

import java.util.Locale;

/** How an operation's statements reach the server: pgbench's query modes in JDBC's words. */
public enum StatementMode {
    /** A {@code Statement} with literals in its text. */
    PLAIN,
    /** A {@code PreparedStatement} that is parsed, unnamed, at every execution ({@code prepareThreshold=0}). */
    EXTENDED,
    /** A {@code PreparedStatement} that is named on the server from its first execution ({@code prepareThreshold=1}). */
    PREPARED;

    /** The name on the command line and in results. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
