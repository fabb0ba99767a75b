/** Judges the load of the machines of a run: which of them was the limit. Uses the result's records. */
@NullMarked
package io.pgstress.verdict.machine;

import org.jspecify.annotations.NullMarked;
