package io.pgstress.plan;

/**
 * The connection pool between clients and server.
 *
 * @param kind the name of a registered pool; {@code none}: each client keeps its connection
 * @param size connections per endpoint; 0: one per client
 * @param perTransaction whether each operation opens a session and closes it; only without a pool
 */
public record PoolSpec(String kind, int size, boolean perTransaction) {
    /** The value of {@code --connect} for a new session per operation. */
    public static final String PER_TRANSACTION = "per-transaction";

    /** Sessions that are opened before the load. */
    public PoolSpec(String kind, int size) {
        this(kind, size, false);
    }

    /** Whether it has a number of connections of its own, instead of one per client. */
    public boolean hasSize() {
        return !kind.equals("none") && size > 0;
    }
}
