/** Probes of the tables and settings after the load. */
@NullMarked
package io.pgstress.probe.check;

import org.jspecify.annotations.NullMarked;
