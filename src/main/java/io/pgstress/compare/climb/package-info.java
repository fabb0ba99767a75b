/**
 * Finds how many clients are enough: the climb, the repeated measurements that determine the knee, and the
 * text about it. Uses {@code compare} and {@code compare.statistics} in addition to what {@code compare} may use.
 */
@org.jspecify.annotations.NullMarked
package io.pgstress.compare.climb;
