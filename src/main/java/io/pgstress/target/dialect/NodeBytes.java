package io.pgstress.target.dialect;

/**
 * The size of a table's part on one node, in bytes.
 *
 * @param table everything except indexes, as by {@code pg_table_size}
 * @param indexes its indexes
 */
public record NodeBytes(String node, long table, long indexes) {}
