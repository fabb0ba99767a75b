/** {@code load}, which fills tables of sysbench's format and then ends; may use operation, plan, dataset and target. */
@NullMarked
package io.pgstress.operation.load;

import org.jspecify.annotations.NullMarked;
