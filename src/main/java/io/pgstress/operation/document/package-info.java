/** The built-in operations on the documents of a table; may use operation, plan, dataset and target. */
@NullMarked
package io.pgstress.operation.document;

import org.jspecify.annotations.NullMarked;
