package io.pgstress.extra.indexes;

import io.pgstress.plan.TableName;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The rows that a unique index does not allow, by their ids. */
final class Violations {
    private static final int MAX_GROUPS = 5;
    private static final int MAX_IDS = 5;

    private Violations() {}

    /** The first groups of rows with the same values, as text. */
    static String of(Connection connection, TableName table, Definition definition) throws SQLException {
        String values = String.join(", ", definition.values());
        String present = definition.values().stream()
                .map(value -> value + " is not null")
                .reduce((one, other) -> one + " and " + other)
                .orElse("true");
        String where = definition.where().isEmpty() ? "" : "(" + definition.where() + ") and ";
        String groups = "select (array_agg(_id::text order by _id))[1:" + MAX_IDS + "] as ids, count(*) as rows from "
                + table.quoted() + " where " + where + present + " group by " + values + " having count(*) > 1";
        List<String> lines = new ArrayList<>();
        long count = 0;
        try (Statement statement = connection.createStatement();
                ResultSet row =
                        statement.executeQuery("select array_to_string(ids, ', '), rows, count(*) over () from ("
                                + groups + ") g order by ids limit " + MAX_GROUPS)) {
            while (row.next()) {
                long more = row.getLong(2) - MAX_IDS;
                lines.add("_id " + row.getString(1)
                        + (more > 0 ? String.format(Locale.ROOT, " and %,d more", more) : ""));
                count = row.getLong(3);
            }
        }
        String more =
                count > lines.size() ? String.format(Locale.ROOT, "; and %,d more groups", count - lines.size()) : "";
        return "rows with the same values: " + String.join("; ", lines) + more;
    }
}
