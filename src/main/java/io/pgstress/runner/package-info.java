/** Clients, pacing, phases, retries; may use plan, measure, result, dataset, target and operation. */
@NullMarked
package io.pgstress.runner;

import org.jspecify.annotations.NullMarked;
