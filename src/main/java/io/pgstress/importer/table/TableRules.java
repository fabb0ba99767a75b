package io.pgstress.importer.table;

import io.pgstress.plan.KeyType;
import org.jspecify.annotations.Nullable;

/**
 * Options for the tables of an import.
 *
 * @param keyType the type of {@code _id}; null for the narrowest that can hold all keys of the input
 * @param keyAfter whether the primary key of a new table is created after the rows are loaded
 * @param resume whether to continue an interrupted import
 * @param atomic whether everything or nothing is imported
 * @param verify whether to compare the tables with the input afterwards
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
        /** The first in the input, or the existing row, stays. */
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
