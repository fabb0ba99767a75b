package io.pgstress.target.dialect;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Questions to a server's catalog. */
final class Catalog {
    private Catalog() {}

    /** Whether the query's first value is true. */
    static boolean holds(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            return row.next() && row.getBoolean(1);
        }
    }

    /** A name as a string literal; names come quoted, so all that needs care is the quote. */
    static String literal(String text) {
        return "'" + text.replace("'", "''") + "'";
    }
}
