package io.pgstress.target.driver;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/** Where tables are made that are named without a schema. */
final class SearchPath {
    /** Those that are there: the setting itself holds names as the session was begun with them, quoted or not. */
    private static final String EXISTING = """
            select string_agg(quote_ident(name), ', ' order by place)
            from unnest(current_schemas(false)) with ordinality as found (name, place)
            """;

    private SearchPath() {}

    /**
     * Says by a statement what the URL, or startup options, said. Postgres-XL passes statements on to its datanodes, but not what
     * a session began with: they would make a table in another schema, and the first statement that needs it there ends with
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
