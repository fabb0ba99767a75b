/** Statements in the three modes; may use plan and target. */
@NullMarked
package io.pgstress.target.statement;

import org.jspecify.annotations.NullMarked;
