/** The certificates with which the hosts of a fleet recognize each other: a small CA, key stores, TLS. Uses the JDK only. */
@NullMarked
package io.pgstress.fleet.keys;

import org.jspecify.annotations.NullMarked;
