package io.pgstress.target.dialect;

/**
 * How a new table is distributed.
 *
 * @param shards the number of shards; 0: the server's default
 * @param replicationFactor the number of nodes that hold each shard; 0: the server's default
 */
public record TableOptions(int shards, int replicationFactor) {
    /** The server's defaults. */
    public static final TableOptions DEFAULT = new TableOptions(0, 0);
}
