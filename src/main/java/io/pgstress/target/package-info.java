/** The servers of a run: opened endpoints, nodes, facts; may use plan. */
@NullMarked
package io.pgstress.target;

import org.jspecify.annotations.NullMarked;
