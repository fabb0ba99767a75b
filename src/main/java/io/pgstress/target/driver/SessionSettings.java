package io.pgstress.target.driver;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import org.postgresql.PGStatement;

/** Settings of one session, set by SQL. */
final class SessionSettings {
    private SessionSettings() {}

    /** Sets each until the session ends. */
    static void set(Connection connection, Map<String, String> settings) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("select set_config(?, ?, false)")) {
            statement.unwrap(PGStatement.class).setPrepareThreshold(0);
            for (Map.Entry<String, String> setting : settings.entrySet()) {
                statement.setString(1, setting.getKey());
                statement.setString(2, setting.getValue());
                statement.execute();
            }
        }
    }

    /** Uses SET, which Postgres-XL passes on to its datanodes. */
    static void limitLocks(Connection connection, String most) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("set lock_timeout = '" + most + "'");
        }
    }
}
