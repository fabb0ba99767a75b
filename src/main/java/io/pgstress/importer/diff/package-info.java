/** Compares tables with the documents of a dump; uses plan, bson, target, text and the rest of {@code importer}. */
@NullMarked
package io.pgstress.importer.diff;

import org.jspecify.annotations.NullMarked;
