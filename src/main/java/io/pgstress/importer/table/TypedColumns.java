package io.pgstress.importer.table;

import io.pgstress.bson.json.JsonOptions;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The typed columns of a table, which the server generates from {@code data}. Immutable.
 *
 * @param rejects whether a document with a value that does not fit is rejected
 */
public record TypedColumns(List<ColumnSpec> all, boolean rejects) {
    public static final TypedColumns NONE = new TypedColumns(List.of(), true);

    public TypedColumns {
        all = List.copyOf(all);
    }

    boolean isEmpty() {
        return all.isEmpty();
    }

    /** What reads the values of documents; null if there are no columns. */
    public @Nullable ColumnReader reader(JsonOptions options) {
        return isEmpty() ? null : new ColumnReader(this, options);
    }
}
