package io.pgstress.importer.table;

import io.pgstress.bson.json.JsonOptions;
import io.pgstress.plan.sql.Quoting;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The typed columns of a table. Immutable.
 *
 * @param rejects whether a document with a value that does not fit is rejected
 */
public record TypedColumns(List<Column> all, boolean rejects) {
    public static final TypedColumns NONE = new TypedColumns(List.of(), true);

    /** @param generated whether the server computes its values, so that it must not be written */
    record Column(ColumnSpec spec, boolean generated) {
        String quoted() {
            return Quoting.identifier(spec.name());
        }
    }

    public TypedColumns {
        all = List.copyOf(all);
    }

    boolean isEmpty() {
        return all.isEmpty();
    }

    /** The columns that the import writes. */
    List<Column> filled() {
        return all.stream().filter(column -> !column.generated()).toList();
    }

    public boolean hasFilled() {
        return !filled().isEmpty();
    }

    /** The columns of a COPY, in the order of {@link ColumnEncoder}'s fields: those filled, then {@code _id} and {@code data}. */
    public String copied() {
        return filled().stream().map(column -> column.quoted() + ", ").collect(Collectors.joining()) + "_id, data";
    }

    /** The columns of a whole row without those that the server computes, each after this prefix: {@code l._id, l.data}. */
    public String row(String prefix) {
        return prefix + "_id, " + prefix + "data"
                + filled().stream()
                        .map(column -> ", " + prefix + column.quoted())
                        .collect(Collectors.joining());
    }

    /** The assignments of {@code on conflict ... do update set}. */
    public String excluded() {
        return "data = excluded.data"
                + filled().stream()
                        .map(column -> ", " + column.quoted() + " = excluded." + column.quoted())
                        .collect(Collectors.joining());
    }

    /** What reads the values of documents; null if there are no columns. */
    public @Nullable ColumnEncoder encoder(JsonOptions options) {
        return isEmpty() ? null : new ColumnEncoder(this, options);
    }
}
