/** Runs a load: connects the clients, guides them through the phases, calls the probes and builds the result. */
@NullMarked
package io.pgstress.runner;

import org.jspecify.annotations.NullMarked;
