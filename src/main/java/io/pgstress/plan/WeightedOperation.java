package io.pgstress.plan;

/**
 * An operation of a mix.
 *
 * @param name its registered name
 * @param weight its share in the mix, at least 1
 */
public record WeightedOperation(String name, int weight) {}
