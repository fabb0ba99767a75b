/** Creates indexes on the server; uses plan, target, {@code importer.index} and {@code importer.progress}. */
@NullMarked
package io.pgstress.importer.index.build;

import org.jspecify.annotations.NullMarked;
