package io.pgstress.target.driver;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Locale;
import java.util.StringJoiner;
import java.util.concurrent.Executor;
import org.postgresql.PGConnection;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.TransactionState;
import org.postgresql.core.Utils;
import org.postgresql.jdbc.PgConnection;
import org.postgresql.util.HostSpec;

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

    /** Whether a thread with this stack waits to read from, or write to, a server. */
    public static boolean awaitsAnswer(StackTraceElement[] stack) {
        return Arrays.stream(stack).anyMatch(frame -> frame.getClassName().startsWith(ChannelSocket.class.getName()));
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
        return ControlSql.number(connection, "select pg_backend_pid()") == announced(connection);
    }

    /** The number of the server process announced while connecting. */
    public static int announced(Connection connection) throws SQLException {
        return connection.unwrap(PgConnection.class).getBackendPID();
    }

    /** The host that the driver has connected to, as named in the URL. */
    public static String host(Connection connection) throws SQLException {
        return reached(connection).getHost();
    }

    /** The port that the driver has connected to. */
    public static int port(Connection connection) throws SQLException {
        return reached(connection).getPort();
    }

    private static HostSpec reached(Connection connection) throws SQLException {
        return connection.unwrap(PgConnection.class).getQueryExecutor().getHostSpec();
    }

    /** Rolls back a transaction that a statement of the load itself began, if one is open. */
    public static void rollbackIfOpen(Connection connection) throws SQLException {
        if (isInTransaction(connection)) {
            ControlSql.execute(connection, "rollback");
        }
    }

    /** Whether a transaction is open. */
    public static boolean isInTransaction(Connection connection) throws SQLException {
        return connection.unwrap(PgConnection.class).getTransactionState() != TransactionState.IDLE;
    }

    /** Whether a statement failed in the open transaction. */
    public static boolean hasFailedTransaction(Connection connection) throws SQLException {
        return connection.unwrap(PgConnection.class).getTransactionState() == TransactionState.FAILED;
    }

    /**
     * How the driver sends a batch of single-row INSERTs: with {@code reWriteBatchedInserts} as multi-row ones, whose numbers of rows
     * are powers of two (pgjdbc's {@code PgPreparedStatement.transformQueriesAndParameters}).
     */
    public static final class DriverBatch {
        private static final int MAX_ROWS = 128;
        private static final int MAX_PARAMETERS = 65_535;

        private DriverBatch() {}

        /** Whether batches of prepared statements are rewritten on this connection, possibly wrapped by a pool. */
        public static boolean isRewritten(Connection connection) throws SQLException {
            return connection.unwrap(BaseConnection.class).getQueryExecutor().isReWriteBatchedInsertsEnabled();
        }

        /**
         * A description of the statements of a rewritten batch.
         *
         * @param parameters per row, at least 1
         */
        public static String rewritten(int rows, int parameters) {
            int most = Integer.highestOneBit(Math.max(1, Math.min(MAX_ROWS, MAX_PARAMETERS / parameters)));
            StringJoiner words = new StringJoiner(", ");
            add(words, rows / most, most);
            for (int size = most / 2; size > 0; size /= 2) {
                add(words, rows / size % 2, size);
            }
            return words.toString();
        }

        private static void add(StringJoiner words, int count, int rows) {
            if (count > 0) {
                words.add(String.format(
                        Locale.ROOT,
                        words.length() > 0 ? "%d of %d" : count == 1 ? "%d INSERT of %d rows" : "%d INSERTs of %d rows",
                        count,
                        rows));
            }
        }
    }

    /** String literals for the session's {@code standard_conforming_strings}, escaped by the driver's own rules. */
    public static final class Literals {
        private final boolean standardConforming;

        /** The rules of this connection, possibly wrapped by a pool. */
        public Literals(Connection connection) throws SQLException {
            this.standardConforming = connection.unwrap(BaseConnection.class).getStandardConformingStrings();
            if (!connection.isWrapperFor(PGConnection.class)) {
                throw new SQLException("no connection of the PostgreSQL driver", "08001");
            }
        }

        /** Appends the value in quotes. */
        public void append(StringBuilder sql, String value) throws SQLException {
            sql.append('\'');
            Utils.escapeLiteral(sql, value, standardConforming);
            sql.append('\'');
        }
    }
}
