package io.pgstress.importer.table;

import io.pgstress.plan.TableName;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A column of an existing table.
 *
 * @param type its type, without a modifier
 * @param generated whether the server computes its values
 */
record TableColumn(String type, boolean generated) {
    /** The first version of PostgreSQL with generated columns. */
    static final int GENERATED_SINCE = 12;

    /** The columns of a table by their names; empty if the table does not exist. */
    static Map<String, TableColumn> of(Connection connection, TableName table) throws SQLException {
        boolean known = connection.getMetaData().getDatabaseMajorVersion() >= GENERATED_SINCE;
        Map<String, TableColumn> columns = new LinkedHashMap<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("select a.attname, format_type(a.atttypid, null), "
                        + (known ? "a.attgenerated <> ''" : "false")
                        + " from pg_attribute a where a.attrelid = to_regclass(" + table.literal()
                        + ") and a.attnum > 0 and not a.attisdropped order by a.attnum")) {
            while (rows.next()) {
                columns.put(rows.getString(1), new TableColumn(rows.getString(2), rows.getBoolean(3)));
            }
        }
        return columns;
    }
}
