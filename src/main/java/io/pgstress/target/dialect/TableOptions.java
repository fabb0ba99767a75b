package io.pgstress.target.dialect;

/**
 * How a table that is made is distributed.
 *
 * @param shards how many; 0: as the server is set
 * @param replicationFactor on how many nodes each is; 0: as the server is set
 */
public record TableOptions(int shards, int replicationFactor) {
    /** As the server is set. */
    public static final TableOptions DEFAULT = new TableOptions(0, 0);
}
