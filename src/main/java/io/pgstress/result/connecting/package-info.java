/** The time for connecting, and what it changes in rates; uses nothing. */
@NullMarked
package io.pgstress.result.connecting;

import org.jspecify.annotations.NullMarked;
