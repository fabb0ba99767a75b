package io.pgstress.runner;

import io.pgstress.measure.ClientRecorder;
import io.pgstress.target.driver.ControlSql;
import io.pgstress.target.driver.DriverSession;
import io.pgstress.target.driver.ServerErrors;
import io.pgstress.target.pool.ConnectionPool;
import io.pgstress.target.statement.ClientStatements;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A client's connection: kept for the whole run without a pool, or borrowed for each operation, from a pool or new; replaced if
 * it breaks. Belongs to its client's thread, except {@link #abort}.
 */
public final class ClientSession {
    private final ConnectionPool pool;
    private final ClientStatements session;
    private final boolean transaction;
    private final ClientRecorder recorder;
    private final int[] commitNumbers;
    private volatile @Nullable Connection connection;
    private volatile boolean aborted;
    private final boolean countsPlans;
    private final Map<String, String> nodeNames;
    private volatile @Nullable PlanCounts planCounts;
    private boolean alive = true;

    /**
     * @param commitNumbers the number of the statement {@code commit}, by operation; used with transactions
     * @param countsPlans whether to ask the session at the end how it planned its statements
     * @param nodeNames the names of a cluster's nodes by the numbers that its messages give
     */
    public ClientSession(
            ConnectionPool pool,
            ClientStatements session,
            boolean transaction,
            ClientRecorder recorder,
            int[] commitNumbers,
            boolean countsPlans,
            Map<String, String> nodeNames) {
        this.pool = pool;
        this.session = session;
        this.transaction = transaction;
        this.recorder = recorder;
        this.commitNumbers = commitNumbers;
        this.countsPlans = countsPlans;
        this.nodeNames = nodeNames;
    }

    /** Opens the connection to keep; a pool fills itself. */
    public void connect() throws SQLException {
        if (pool.isKept()) {
            acquire();
        }
    }

    /** The message of an error on this session. */
    String messageOf(SQLException error) {
        return ServerErrors.withNodes(ServerErrors.sampleOf(error), nodeNames);
    }

    /** Whether it has its connection, or does not keep one. */
    boolean isConnected() {
        return connection != null || !pool.isKept();
    }

    /** Ensures that there is a connection; returns the nanoseconds this took. */
    public long acquire() throws SQLException {
        if (connection != null) {
            return 0;
        }
        long start = System.nanoTime();
        Connection borrowed = pool.borrow();
        connection = borrowed;
        if (aborted) {
            DriverSession.abort(borrowed);
        }
        if (transaction) {
            borrowed.setAutoCommit(false);
        }
        recorder.session(DriverSession.announced(borrowed));
        session.attach(borrowed);
        return System.nanoTime() - start;
    }

    void commit(int operation) throws SQLException {
        Connection open = connection;
        if (open != null) {
            long start = System.nanoTime();
            open.commit();
            recorder.statementEnded(operation, commitNumbers[operation], System.nanoTime() - start, 0, 0);
        }
    }

    /** Returns the connection to its pool, if it has one. */
    public void release() throws SQLException {
        if (!pool.isKept()) {
            giveBack();
        }
    }

    private void giveBack() throws SQLException {
        Connection open = connection;
        connection = null;
        if (open != null) {
            try (open) {
                session.detach();
            }
        }
    }

    /** After an error, makes the session usable again, or drops it. */
    void failed(SQLException error) {
        alive = false;
        Connection open = connection;
        if (open == null) {
            return;
        }
        try {
            alive = !DriverSession.isClosed(open)
                    && (ServerErrors.sessionIsAlive(error) || !ServerErrors.isConnectionLost(error));
            if (alive && transaction) {
                open.rollback();
            } else if (alive) {
                DriverSession.rollbackIfOpen(open);
            }
            if (!alive || !pool.isKept()) {
                giveBack();
            }
        } catch (SQLException e) {
            alive = false;
            drop(open);
        }
    }

    private void drop(Connection broken) {
        connection = null;
        try (broken) {
            session.detach();
        } catch (SQLException e) {
            // errors on closing a broken connection add nothing
        }
    }

    /** Whether the session survived the last error. */
    boolean isAlive() {
        return alive;
    }

    /** What an operation waits for that has no connection yet; null if it has one. Any thread may ask. */
    @Nullable
    String awaitedConnection() {
        if (connection != null) {
            return null;
        }
        return pool.isKept() || !pool.isReused() ? "a new connection" : "a connection of the pool";
    }

    /** Asks the server, from another thread, to cancel the current statement. */
    void cancel() {
        Connection open = connection;
        if (open != null) {
            DriverSession.cancel(open);
        }
    }

    /** Closes the socket, from another thread. */
    void abort() {
        aborted = true;
        Connection open = connection;
        if (open != null) {
            DriverSession.abort(open);
        }
    }

    /** At the end of the load, asks the session how it planned its statements. */
    void countPlans() {
        if (!countsPlans || aborted) {
            return;
        }
        Connection open = connection;
        if (open != null) {
            planCounts = PlanCounts.of(open);
            return;
        }
        if (!pool.isKept() && pool.isReused()) {
            try (Connection borrowed = pool.borrow()) {
                planCounts = PlanCounts.of(borrowed);
            } catch (SQLException e) {
                planCounts = null; // the pool has no connection to ask
            }
        }
    }

    @Nullable
    PlanCounts planCounts() {
        return planCounts;
    }

    /** Closes the session at the end of the client. */
    public void close() {
        Connection open = connection;
        if (open != null) {
            drop(open);
        }
    }

    /** How often a session planned named statements for any parameters (generic) or for the given ones (custom). */
    public record PlanCounts(long generic, long custom) {
        private static final int SINCE = 14;
        private static final String PREPARED = "select coalesce(sum(generic_plans), 0), coalesce(sum(custom_plans), 0)"
                + " from pg_prepared_statements where not from_sql and statement !~ 'pg_prepared_statements'";

        /** The session's own counts; null if the server does not count or does not answer. */
        static @Nullable PlanCounts of(Connection connection) {
            try {
                if (connection.getMetaData().getDatabaseMajorVersion() < SINCE) {
                    return null;
                }
                return ControlSql.rows(connection, PREPARED, row -> new PlanCounts(row.getLong(1), row.getLong(2)))
                        .get(0);
            } catch (SQLException e) {
                return null; // the session has ended, and its counters with it
            }
        }
    }
}
