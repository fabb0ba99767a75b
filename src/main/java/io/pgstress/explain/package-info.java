/** Shows how a server will execute the statements of operations; may use plan, result, dataset, target and operation. */
@NullMarked
package io.pgstress.explain;

import org.jspecify.annotations.NullMarked;
