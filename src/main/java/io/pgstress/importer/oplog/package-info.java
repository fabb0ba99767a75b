/** Replays an oplog on the tables of an import; may use what {@code importer} may, but not {@code importer} itself. */
@NullMarked
package io.pgstress.importer.oplog;

import org.jspecify.annotations.NullMarked;
