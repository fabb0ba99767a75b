/** The list of all probes; each probe is a class of a package below. */
@NullMarked
package io.pgstress.probe;

import org.jspecify.annotations.NullMarked;
