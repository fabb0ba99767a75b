/** The PostgreSQL in the jar. May use plan and target. */
@NullMarked
package io.pgstress.target.embedded;

import org.jspecify.annotations.NullMarked;
