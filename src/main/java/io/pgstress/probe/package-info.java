/** Observes what may disturb the client's own times while a run goes on; one class for each source. */
@NullMarked
package io.pgstress.probe;

import org.jspecify.annotations.NullMarked;
