package io.pgstress.extra.suggest;

import io.pgstress.extra.suggest.Shape.SortKey;
import java.util.List;
import java.util.stream.Collectors;

/** The clauses of a query that choose rows. */
record RowsSql(DocumentFacts facts) {
    /**
     * A query.
     *
     * @param columns what it selects, in terms of {@code _id} and {@code data}
     * @param where the condition
     * @param skip rows to leave out
     */
    String select(String columns, String table, String where, Selection rows, int skip) {
        String from = rows.inner()
                .map(along -> subquery("select _id, data\nfrom " + table + where(where) + order(List.of(along))
                                + "\nlimit " + rows.innerLimit())
                        + " x")
                .orElse(table + where(where));
        return "select " + columns + "\nfrom " + from + order(rows.order())
                + (rows.limit() > 0 ? "\nlimit " + rows.limit() : "")
                + (skip > 0 ? "\noffset " + skip : "");
    }

    /** A query in parentheses. */
    static String subquery(String query) {
        return "(\n" + query.indent(2) + ")";
    }

    static String where(String condition) {
        return condition.equals("true") ? "" : "\nwhere " + condition;
    }

    private String order(List<SortKey> keys) {
        return keys.isEmpty()
                ? ""
                : keys.stream()
                        .map(key -> sorted(key.path()) + (key.descending() ? " desc" : ""))
                        .collect(Collectors.joining(", ", "\norder by ", ""));
    }

    private String sorted(String path) {
        return path.equals("_id") ? "_id" : FieldPath.of(path, "", facts).comparable("data");
    }

    /** The value at a path, or the key column. */
    String value(String path) {
        return path.equals("_id") ? "_id" : FieldPath.of(path, "", facts).json("data");
    }
}
