package io.pgstress.target.dialect;

/**
 * What of a table is on one node, in bytes.
 *
 * @param table its rows and what is stored beside them
 * @param indexes its indexes
 */
public record NodeBytes(String node, long table, long indexes) {}
