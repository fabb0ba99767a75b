/** Merges the results of several hosts that ran the same load at the same time into one result. */
@NullMarked
package io.pgstress.merge;

import org.jspecify.annotations.NullMarked;
