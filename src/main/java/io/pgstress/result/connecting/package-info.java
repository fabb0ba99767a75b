/** The time for connecting, what it changes in rates, and what is between clients and servers; uses nothing. */
@NullMarked
package io.pgstress.result.connecting;

import org.jspecify.annotations.NullMarked;
