package io.pgstress.extra.indexes;

import io.pgstress.plan.TableName;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Finds the kinds of values in rows that a table had before the import. Reads the whole table. */
final class EarlierRows {
    private static final String ANY = "coalesce(bool_or(";

    /** So many paths in one query; it may have 1,664 columns. */
    private static final int MAX_PATHS = 200;

    private EarlierRows() {}

    /** Adds these kinds to those of the documents. */
    static void add(Connection connection, TableName table, CollectionIndexes collection) throws SQLException {
        List<List<String>> paths = new ArrayList<>(collection.paths());
        for (int from = 0; from < paths.size(); from += MAX_PATHS) {
            add(connection, table, collection, paths.subList(from, Math.min(from + MAX_PATHS, paths.size())));
        }
    }

    private static void add(
            Connection connection, TableName table, CollectionIndexes collection, List<List<String>> paths)
            throws SQLException {
        String columns = paths.stream().map(EarlierRows::columns).collect(Collectors.joining(", "));
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select " + columns + " from " + table.quoted())) {
            row.next();
            int at = 1;
            for (List<String> path : paths) {
                int kinds = 0;
                kinds |= row.getBoolean(at++) ? Kinds.ARRAY : 0;
                kinds |= row.getBoolean(at++) ? Kinds.STRING : 0;
                kinds |= row.getBoolean(at++) ? Kinds.NUMBER : 0;
                kinds |= row.getBoolean(at++) ? Kinds.DATE : 0;
                kinds |= row.getBoolean(at++) ? Kinds.OTHER_DATE : 0;
                kinds |= row.getBoolean(at++) ? Kinds.DOCUMENT : 0;
                kinds |= row.getBoolean(at++) ? Kinds.OTHER : 0;
                collection.shapes().add(path, kinds);
            }
        }
    }

    private static String columns(List<String> path) {
        String json = Field.json(path);
        String type = "jsonb_typeof(" + json + ")";
        String date = "jsonb_typeof(" + json + " -> '$date')";
        List<String> kinds = List.of(
                type + " = 'array'",
                type + " = 'string'",
                type + " = 'number'",
                date + " = 'string'",
                date + " = 'object'",
                type + " = 'object' and " + date + " is null",
                type + " = 'boolean'");
        return kinds.stream().map(kind -> ANY + kind + "), false)").collect(Collectors.joining(", "));
    }
}
