package io.pgstress.importer.index;

import io.pgstress.plan.TableName;

/**
 * A table whose rows were imported, and the indexes that its collection had.
 *
 * @param hasOtherRows whether it has, or may have, rows that are not in the dump like this: from before the import, or changed
 *     by an oplog
 */
public record IndexTarget(TableName table, CollectionIndexes indexes, boolean hasOtherRows) {}
