/** Reads what a dump tells about the load: the profiler's entries, the indexes, and the first documents. */
@NullMarked
package io.pgstress.suggest.profile;

import org.jspecify.annotations.NullMarked;
