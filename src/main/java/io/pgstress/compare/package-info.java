/** Comparisons of variants and thread scaling; the caller supplies what runs a block; may use plan, measure, result, runner, text. */
@NullMarked
package io.pgstress.compare;

import org.jspecify.annotations.NullMarked;
