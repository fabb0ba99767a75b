package io.pgstress.extra.diff;

import io.pgstress.bson.json.JsonOptions;
import io.pgstress.importer.table.Naming;
import io.pgstress.importer.table.TableRules.OnDuplicate;

/**
 * The options of a comparison. Those of the conversion must be the import's.
 *
 * @param json how documents become JSON
 * @param generateIds whether documents without an {@code _id} are given one; otherwise they cannot be compared
 * @param naming the names of the tables
 * @param onDuplicate which document of several with the same {@code _id} the table should have: any of them, the first or the
 *     last
 * @param share the share of documents and rows to compare, above 0, at most 1
 * @param limit differences of each kind that are named, at least 0; all are counted
 */
public record DiffOptions(
        JsonOptions json, boolean generateIds, Naming naming, OnDuplicate onDuplicate, double share, int limit) {}
