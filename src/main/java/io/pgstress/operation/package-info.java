/** The operations, one class each; may use plan, dataset and target. */
@NullMarked
package io.pgstress.operation;

import org.jspecify.annotations.NullMarked;
