package io.pgstress.importer.table;

import io.pgstress.bson.dump.DumpCollection;
import java.util.List;

/** The typed columns of an import. */
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
    List<ColumnSpec> of(DumpCollection collection) {
        return specs.stream().filter(spec -> spec.isOf(collection)).toList();
    }
}
