/** Operations that make the tables they work on, one class each; may use plan, dataset and target. */
@NullMarked
package io.pgstress.operation.workload;

import org.jspecify.annotations.NullMarked;
