package io.pgstress.importer.table;

import io.pgstress.bson.dump.DumpCollection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The typed columns of an import or of a table, which the server generates from {@code data}. Immutable. */
public record ColumnOptions(List<ColumnSpec> specs, Misfit misfit) {
    /** No columns. */
    public static final ColumnOptions NONE = new ColumnOptions(List.of(), Misfit.REJECT);

    /** What happens to a document with a value that does not fit its column. */
    public enum Misfit {
        /** The document is rejected. */
        REJECT,
        /** The column is null. */
        NULL
    }

    public ColumnOptions {
        specs = List.copyOf(specs);
    }

    /** The columns of a collection's table. */
    ColumnOptions of(DumpCollection collection) {
        return new ColumnOptions(
                specs.stream().filter(spec -> spec.isOf(collection)).toList(), misfit);
    }

    boolean rejects() {
        return misfit == Misfit.REJECT;
    }

    /** What reads the values of documents; null if there are no columns. */
    public @Nullable ColumnReader reader() {
        return specs.isEmpty() ? null : new ColumnReader(this);
    }
}
