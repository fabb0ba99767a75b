package io.pgstress.result;

/**
 * A limit, and whether the measured value breaks it.
 *
 * @param limit such as {@code p99>5ms}
 * @param words such as {@code p99 was 7.31 ms}
 */
public record LimitCheck(String limit, boolean broken, String words) {}
