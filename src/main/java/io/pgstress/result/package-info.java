/** Plain records of what a run found, and their JSON form; may use plan, measure and text. */
@NullMarked
package io.pgstress.result;

import org.jspecify.annotations.NullMarked;
