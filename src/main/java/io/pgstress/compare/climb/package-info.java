/**
 * How many clients are enough: the climb of their number, the repeated measurements that decide where the knee is, and the
 * words for it. Uses {@code compare} and {@code compare.statistics} beside what {@code compare} may use.
 */
@org.jspecify.annotations.NullMarked
package io.pgstress.compare.climb;
