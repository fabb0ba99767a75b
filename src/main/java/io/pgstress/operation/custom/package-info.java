/** The user's own operations at work; may use plan, dataset and target. */
@NullMarked
package io.pgstress.operation.custom;

import org.jspecify.annotations.NullMarked;
