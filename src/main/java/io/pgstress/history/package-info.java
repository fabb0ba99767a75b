/** Kept results of the same test in the order of time, and where their figures changed. */
@NullMarked
package io.pgstress.history;

import org.jspecify.annotations.NullMarked;
