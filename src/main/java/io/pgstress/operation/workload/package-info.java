/** Operations that create their own tables, one class each; may use plan, dataset and target. */
@NullMarked
package io.pgstress.operation.workload;

import org.jspecify.annotations.NullMarked;
