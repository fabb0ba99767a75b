package io.pgstress.dataset;

/**
 * A table that a run needs for itself because it empties it or counts its rows.
 *
 * @param table the table's name in SQL syntax
 * @param isShared whether other runs that share the table may run at the same time, each with its own ids
 */
public record Claim(String table, boolean isShared) {}
