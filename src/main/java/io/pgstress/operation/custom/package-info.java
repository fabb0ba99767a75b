/** User-defined operations; may use plan, dataset and target. */
@NullMarked
package io.pgstress.operation.custom;

import org.jspecify.annotations.NullMarked;
