/** The clock of another host, in terms of our own. Uses nothing. */
@NullMarked
package io.pgstress.fleet.clock;

import org.jspecify.annotations.NullMarked;
