package io.pgstress.target.driver;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.Executor;
import org.postgresql.core.TransactionState;
import org.postgresql.jdbc.PgConnection;

/** What the driver, beyond JDBC, knows about a connection's session. Connections lent by a pool are accepted too. */
public final class DriverSession {
    private static final Executor DIRECT = Runnable::run;

    private DriverSession() {}

    /** Closes the connection's socket immediately, even if another thread is using it. */
    public static void abort(Connection connection) {
        try {
            connection.unwrap(PgConnection.class).abort(DIRECT);
        } catch (SQLException e) {
            // it is already closed, as requested
        }
    }

    /** Asks the server, from another thread, to cancel the running statement. */
    public static void cancel(Connection connection) {
        try {
            connection.unwrap(PgConnection.class).cancelQuery();
        } catch (SQLException e) {
            abort(connection);
        }
    }

    /** Whether the connection itself is closed: the driver closes it when the server ended the session. */
    public static boolean isClosed(Connection connection) throws SQLException {
        return connection.isClosed() || connection.unwrap(PgConnection.class).isClosed();
    }

    /**
     * Whether the server process that runs statements is the one announced while connecting. A pooler such as PgBouncer
     * announces a number of its own, which identifies the session in cancel requests.
     */
    public static boolean isDirect(Connection connection) throws SQLException {
        int announced = connection.unwrap(PgConnection.class).getBackendPID();
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select pg_backend_pid()")) {
            return row.next() && row.getInt(1) == announced;
        }
    }

    /** The host that the driver has connected to, as named in the URL. */
    public static String host(Connection connection) throws SQLException {
        return connection
                .unwrap(PgConnection.class)
                .getQueryExecutor()
                .getHostSpec()
                .getHost();
    }

    /** The port that the driver has connected to. */
    public static int port(Connection connection) throws SQLException {
        return connection
                .unwrap(PgConnection.class)
                .getQueryExecutor()
                .getHostSpec()
                .getPort();
    }

    /** Rolls back a transaction that a statement of the load itself began, if one is open. */
    public static void rollbackIfOpen(Connection connection) throws SQLException {
        if (connection.unwrap(PgConnection.class).getTransactionState() != TransactionState.IDLE) {
            try (Statement statement = connection.createStatement()) {
                statement.execute("rollback");
            }
        }
    }

    /** Whether a statement failed in the open transaction. */
    public static boolean hasFailedTransaction(Connection connection) throws SQLException {
        return connection.unwrap(PgConnection.class).getTransactionState() == TransactionState.FAILED;
    }
}
