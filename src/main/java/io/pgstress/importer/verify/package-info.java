/** Checksums of rows, as sent and as read back; may use bson and target. */
@NullMarked
package io.pgstress.importer.verify;

import org.jspecify.annotations.NullMarked;
