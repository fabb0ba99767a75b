/** Servers under load: endpoints, facts, settings; may use plan. */
@NullMarked
package io.pgstress.target;

import org.jspecify.annotations.NullMarked;
