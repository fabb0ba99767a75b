/** The messages between the hosts of one test, and their bytes. Uses {@code text} and {@code measure}. */
@NullMarked
package io.pgstress.fleet.wire;

import org.jspecify.annotations.NullMarked;
