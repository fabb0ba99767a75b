package io.pgstress.importer.table;

import io.pgstress.plan.KeyType;
import org.jspecify.annotations.Nullable;

/**
 * What an import does with its tables.
 *
 * @param keyType the type of {@code _id}; null: the narrowest that holds all keys of the input
 * @param keyAfter whether a new table gets its primary key after the rows
 * @param resume whether to continue an interrupted import
 * @param atomic whether either everything or nothing gets into the tables
 * @param verify whether the tables are read back and compared with the input
 */
public record TableRules(
        @Nullable KeyType keyType,
        boolean keyAfter,
        IfExists ifExists,
        OnDuplicate onDuplicate,
        boolean resume,
        boolean atomic,
        boolean verify) {

    /** What happens if the table exists. */
    public enum IfExists {
        FAIL,
        APPEND,
        TRUNCATE,
        DROP
    }

    /** What happens to a document whose {@code _id} is already in the input or in the table. */
    public enum OnDuplicate {
        /** It is rejected. */
        FAIL,
        /** The first in the input, or the row that was in the table, stays. */
        SKIP,
        /** The last in the input stays. */
        REPLACE
    }

    /** Whether the table is dropped first. */
    public boolean drops() {
        return ifExists == IfExists.DROP;
    }

    /** Whether rows pass through a staging table. */
    public boolean stages() {
        return onDuplicate != OnDuplicate.FAIL;
    }
}
