/** All operations by name; may use operation, plan, dataset and target. */
@NullMarked
package io.pgstress.operation.catalog;

import org.jspecify.annotations.NullMarked;
