package io.pgstress.importer.table;

import io.pgstress.bson.dump.DumpCollection;
import java.util.List;

/** The typed columns of an import. */
public record ColumnOptions(List<ColumnSpec> specs, Mode mode, Misfit misfit) {
    /** No columns. */
    public static final ColumnOptions NONE = new ColumnOptions(List.of(), Mode.AUTO, Misfit.REJECT);

    /** How a column gets its values. */
    public enum Mode {
        /** Generated if the server has generated columns, otherwise filled. */
        AUTO,
        /** The server computes them from {@code data}, whatever writes it. */
        GENERATED,
        /** The import writes them. */
        FILLED
    }

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
