package io.pgstress.runner;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/** How often a session planned named statements for any parameters (generic) or for the given ones (custom). */
public record PlanCounts(long generic, long custom) {
    private static final int SINCE = 14;

    /** The session's own counts; null if the server does not count or does not answer. */
    static @Nullable PlanCounts of(Connection connection) {
        try {
            if (connection.getMetaData().getDatabaseMajorVersion() < SINCE) {
                return null;
            }
            try (Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery("select coalesce(sum(generic_plans), 0),"
                            + " coalesce(sum(custom_plans), 0) from pg_prepared_statements where not from_sql"
                            + " and statement !~ 'pg_prepared_statements'")) {
                row.next();
                return new PlanCounts(row.getLong(1), row.getLong(2));
            }
        } catch (SQLException e) {
            return null; // the session has ended, and its counters with it
        }
    }
}
