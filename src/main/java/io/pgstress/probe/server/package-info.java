/** The probe of the servers: their counters, waits, machines and answers. */
@NullMarked
package io.pgstress.probe.server;

import org.jspecify.annotations.NullMarked;
