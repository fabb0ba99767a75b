package io.pgstress.target.driver;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/** The schemas in which unqualified names are looked up. */
final class SearchPath {
    /** The existing ones: the setting itself holds the names as the session began with them, quoted or not. */
    private static final String EXISTING = """
            select string_agg(quote_ident(name), ', ' order by place)
            from unnest(current_schemas(false)) with ordinality as found (name, place)
            """;

    private SearchPath() {}

    /**
     * Sets by a statement what the URL, or startup options, have set. Postgres-XL passes statements on to its datanodes, but not the
     * startup options: they would create a table in another schema, and the first statement that needs it fails with
     * "could not open relation with OID 0".
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
