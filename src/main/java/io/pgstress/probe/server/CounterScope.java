package io.pgstress.probe.server;

import io.pgstress.target.driver.ControlSql;
import io.pgstress.target.driver.ReachedServer;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * What the counters of a control connection belong to. Several URLs may lead to one server, whose counters are then added once.
 *
 * @param database its name; empty for counters of the whole server
 * @param role its name; empty for counters of all roles
 */
public record CounterScope(ReachedServer server, String database, String role) {
    private static final String NAMES =
            "select datname, current_user from pg_stat_database where datname = current_database()";

    /** The scope of what the connection's role did in its database. */
    public static CounterScope of(Connection connection) throws SQLException {
        ReachedServer server = ReachedServer.of(connection);
        return ControlSql.first(connection, NAMES, row -> new CounterScope(server, row.getString(1), row.getString(2)))
                .orElseThrow();
    }

    /** The scope of what all roles did in the database. */
    public CounterScope ofDatabase() {
        return new CounterScope(server, database, "");
    }

    /** The scope of what the whole server did. */
    public CounterScope ofServer() {
        return new CounterScope(server, "", "");
    }
}
