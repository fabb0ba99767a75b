/** Reads the entries of an oplog and splits them into operations; may use {@code bson}. */
@NullMarked
package io.pgstress.importer.oplog.entry;

import org.jspecify.annotations.NullMarked;
