package io.pgstress.plan;

/**
 * Which connection pool stands between clients and server.
 *
 * @param kind {@code hikari}, {@code c3p0} or {@code none}
 * @param size connections per endpoint in all; 0: as many as clients
 */
public record PoolSpec(String kind, int size) {}
