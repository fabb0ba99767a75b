/** Judges results: whether figures may be used, and why. Derived from data alone, without a connection; uses nothing else of the project but {@code result} and {@code measure}. */
@NullMarked
package io.pgstress.verdict;

import org.jspecify.annotations.NullMarked;
