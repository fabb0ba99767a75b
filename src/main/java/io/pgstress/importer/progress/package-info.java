/** Progress of imports, kept in tables of the target; uses plan, bson, dataset, target and {@code importer.verify}. */
@NullMarked
package io.pgstress.importer.progress;

import org.jspecify.annotations.NullMarked;
