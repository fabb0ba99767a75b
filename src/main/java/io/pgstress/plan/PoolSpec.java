package io.pgstress.plan;

/**
 * The connection pool between clients and server.
 *
 * @param kind {@code hikari}, {@code c3p0} or {@code none}
 * @param size connections per endpoint; 0: one per client
 */
public record PoolSpec(String kind, int size) {
    /** Whether it has a number of connections of its own, instead of one per client. */
    public boolean hasSize() {
        return !kind.equals("none") && size > 0;
    }
}
