package io.pgstress.dataset;

/**
 * A table that a run needs for itself, as it empties it or counts its rows.
 *
 * @param table as it stands in SQL
 * @param isShared whether runs that share the table may go on at the same time, as each writes ids of its own
 */
public record Claim(String table, boolean isShared) {}
