/** Kinds of servers and their differences; may use plan and target.driver. */
@NullMarked
package io.pgstress.target.dialect;

import org.jspecify.annotations.NullMarked;
