package io.pgstress.importer;

import io.pgstress.bson.json.JsonOptions;
import io.pgstress.bson.json.JsonOptions.ExtendedJson;
import io.pgstress.importer.table.Naming;
import io.pgstress.importer.table.TableRules;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The options of an import.
 *
 * @param json how documents become JSON
 * @param generateIds whether documents without an {@code _id} are given one; otherwise they are rejected
 * @param tables what happens to the tables
 * @param jobs connections that load in parallel, at least 1
 * @param maxRejects documents that may be rejected; more end the import, with the chunk that they are in
 * @param rejectDirectory directory of the files of rejected documents
 * @param progressSchema schema of the tables that record the progress; empty: as the search path says
 * @param naming how the tables are named
 * @param indexes what reports or creates the indexes in the metadata; null for nothing
 */
public record ImportOptions(
        JsonOptions json,
        boolean generateIds,
        TableRules tables,
        int jobs,
        long maxRejects,
        Path rejectDirectory,
        String progressSchema,
        Naming naming,
        IndexStep.@Nullable Source indexes) {
    /** Defaults, with these rules for tables: one connection, no rejects, and no indexes of the dump. */
    static ImportOptions plain(TableRules tables, Path rejectDirectory) {
        return new ImportOptions(
                JsonOptions.of(ExtendedJson.RELAXED), false, tables, 1, 0, rejectDirectory, "", Naming.AS_DUMPED, null);
    }

    /** The number of sessions that write rows. All rows of an atomic import are in one transaction. */
    int writers() {
        return tables.atomic() ? 1 : jobs;
    }
}
