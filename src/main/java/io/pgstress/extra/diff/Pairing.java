package io.pgstress.extra.diff;

import io.pgstress.bson.dump.DumpCollection;
import io.pgstress.bson.json.KeyForm;
import io.pgstress.plan.KeyType;
import io.pgstress.plan.TableName;
import org.jspecify.annotations.Nullable;

/**
 * A collection of the dump and its table.
 *
 * @param type the type of the table's keys; null if there is no such table
 * @param form their form
 */
record Pairing(
        DumpCollection collection,
        TableName table,
        @Nullable KeyType type,
        KeyForm form) {
    boolean tableExists() {
        return type != null;
    }

    /** The condition for the table's rows in the sample, with {@code where}; empty if it is all of them. */
    String where(Sample sample) {
        return type == null ? "" : sample.where(type);
    }
}
