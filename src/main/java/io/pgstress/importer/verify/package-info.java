/** Checksums of rows, as they are sent and as the server sends them back; may use bson and target. */
@NullMarked
package io.pgstress.importer.verify;

import org.jspecify.annotations.NullMarked;
