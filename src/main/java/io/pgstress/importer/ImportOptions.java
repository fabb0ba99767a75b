package io.pgstress.importer;

import io.pgstress.bson.json.JsonOptions;
import io.pgstress.plan.KeyType;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * How an import is done.
 *
 * @param json how documents become JSON
 * @param keyType the type of {@code _id}; null: what the input has
 * @param jobs connections that load side by side, at least 1
 * @param keyAfter whether a new table gets its primary key after the rows
 * @param maxRejects documents that may be refused before the import ends, all done, as refused
 * @param resume whether an import that was cut off is carried on
 * @param atomic whether all of it or nothing gets into the tables
 * @param verify whether the tables are read back and compared with the input
 * @param rejectDirectory where files of rejects go
 */
public record ImportOptions(
        JsonOptions json,
        @Nullable KeyType keyType,
        int jobs,
        boolean keyAfter,
        IfExists ifExists,
        OnDuplicate onDuplicate,
        long maxRejects,
        boolean resume,
        boolean atomic,
        boolean verify,
        Path rejectDirectory) {

    /** What happens where the table exists. */
    public enum IfExists {
        FAIL,
        APPEND,
        TRUNCATE,
        DROP
    }

    /** What happens to a document whose {@code _id} was there before. */
    public enum OnDuplicate {
        /** It is a reject. */
        FAIL,
        /** The first of the input, or the row that was in the table, stays. */
        SKIP,
        /** The last of the input stays. */
        REPLACE
    }
}
