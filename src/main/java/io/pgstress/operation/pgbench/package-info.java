/** pgbench's transactions and their tables; may use operation, its workload, plan, dataset and target. */
@NullMarked
package io.pgstress.operation.pgbench;

import org.jspecify.annotations.NullMarked;
