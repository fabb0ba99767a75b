/** Judges results: whether figures are valid, and why. Derived from data alone, without a connection; may use plan, measure, result. */
@NullMarked
package io.pgstress.verdict;

import org.jspecify.annotations.NullMarked;
