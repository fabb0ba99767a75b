/** sysbench's {@code oltp_} operations on single rows of its tables; may use operation, plan, dataset and target. */
@NullMarked
package io.pgstress.operation.oltp;

import org.jspecify.annotations.NullMarked;
