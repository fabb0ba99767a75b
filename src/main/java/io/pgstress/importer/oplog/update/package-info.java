/** Applies the updates of an oplog to documents in JSON; may use {@code bson} and {@code importer.oplog.entry}. */
@NullMarked
package io.pgstress.importer.oplog.update;

import org.jspecify.annotations.NullMarked;
