/** Probes of the client's own process and machine. */
@NullMarked
package io.pgstress.probe.client;

import org.jspecify.annotations.NullMarked;
