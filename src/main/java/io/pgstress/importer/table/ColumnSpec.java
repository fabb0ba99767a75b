package io.pgstress.importer.table;

import io.pgstress.bson.FieldPath;
import io.pgstress.bson.copy.FieldType;
import io.pgstress.bson.dump.DumpCollection;
import io.pgstress.bson.dump.DumpFilter;
import io.pgstress.plan.option.Nearest;
import io.pgstress.text.Quoting;
import java.util.List;
import java.util.Set;

/**
 * A requested column.
 *
 * @param collections a pattern for the collections that have it, by their name or {@code database.collection}; empty: all
 * @param name the column's name
 * @param path where documents have its value
 * @param indexed whether it gets an index
 */
public record ColumnSpec(String collections, String name, FieldPath path, FieldType type, boolean indexed) {
    private static final String FORM = "must be [COLLECTION.]NAME=PATH:TYPE[:index]";
    private static final String INDEX = ":index";

    /** Columns of every table: those of the import, and those of the system. */
    private static final Set<String> TAKEN =
            Set.of("_id", "data", "_seq", "tableoid", "xmin", "cmin", "xmax", "cmax", "ctid");

    /**
     * Reads {@code [COLLECTION.]NAME=PATH:TYPE[:index]}.
     *
     * @throws IllegalArgumentException if the text has another form, or the name, the path or the type is wrong
     */
    public static ColumnSpec parse(String text) {
        int equals = text.indexOf('=');
        boolean indexed = text.endsWith(INDEX);
        String right = text.substring(equals + 1, text.length() - (indexed ? INDEX.length() : 0));
        int colon = right.lastIndexOf(':');
        if (equals < 1 || colon < 1) {
            throw new IllegalArgumentException(FORM + ", was '" + text + "'");
        }
        String left = text.substring(0, equals).strip();
        int dot = left.lastIndexOf('.');
        String type = right.substring(colon + 1).strip();
        return new ColumnSpec(
                dot < 0 ? "" : left.substring(0, dot),
                name(left.substring(dot + 1)),
                FieldPath.parse(right.substring(0, colon)),
                FieldType.of(type)
                        .orElseThrow(() -> new IllegalArgumentException("the type must be one of "
                                + String.join(", ", FieldType.names()) + ", was '" + type + "'"
                                + Nearest.hint(type, FieldType.names()))),
                indexed);
    }

    private static String name(String name) {
        if (TAKEN.contains(name)) {
            throw new IllegalArgumentException("'" + name + "' is a column of every table: choose another name");
        }
        if (name.isEmpty() || ServerName.bytes(name) > ServerName.MAX_BYTES) {
            throw new IllegalArgumentException(
                    "a column's name must have 1 to " + ServerName.MAX_BYTES + " bytes, was '" + name + "'");
        }
        return name;
    }

    String quoted() {
        return Quoting.identifier(name);
    }

    /** Whether the collection has the column. */
    boolean isOf(DumpCollection collection) {
        return collections.isEmpty()
                || DumpFilter.matches(collections, collection.collection())
                || DumpFilter.matches(collections, collection.namespace());
    }

    /** Whether none of the collections has the column. */
    boolean isOfNone(List<DumpCollection> all) {
        return all.stream().noneMatch(this::isOf);
    }
}
