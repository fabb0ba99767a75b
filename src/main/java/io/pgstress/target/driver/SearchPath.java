package io.pgstress.target.driver;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/** The schemas in which unqualified names are looked up. */
final class SearchPath {
    /** The existing schemas. The setting itself contains the names as given when the session started, quoted or not. */
    private static final String EXISTING = """
            select string_agg(quote_ident(name), ', ' order by place)
            from unnest(current_schemas(false)) with ordinality as found (name, place)
            """;

    private SearchPath() {}

    /**
     * Sets the path again by a statement, after the URL or startup options have set it. Postgres-XL passes statements to its
     * datanodes, but not startup options: the datanodes would create a table in another schema, and the first statement that
     * needs it would fail with "could not open relation with OID 0".
     */
    static void sayAgain(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            @Nullable String path;
            try (ResultSet row = statement.executeQuery(EXISTING)) {
                row.next();
                path = row.getString(1);
            }
            if (path != null) {
                statement.execute("set search_path = " + path);
            }
        }
    }
}
