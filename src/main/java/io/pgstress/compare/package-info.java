/** Comparisons of variants and thread scaling: what runs a block is handed in; may use plan, measure, result, runner, text. */
@NullMarked
package io.pgstress.compare;

import org.jspecify.annotations.NullMarked;
