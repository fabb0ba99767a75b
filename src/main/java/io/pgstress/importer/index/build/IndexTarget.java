package io.pgstress.importer.index.build;

import io.pgstress.importer.index.CollectionIndexes;
import io.pgstress.plan.TableName;

/**
 * A table whose rows were imported, and the indexes that its collection had.
 *
 * @param hadRows whether it has, or may have, rows from before the import
 */
public record IndexTarget(TableName table, CollectionIndexes indexes, boolean hadRows) {}
