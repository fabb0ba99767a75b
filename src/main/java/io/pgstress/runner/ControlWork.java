package io.pgstress.runner;

import io.pgstress.operation.Operation;
import io.pgstress.plan.TableName;
import io.pgstress.target.MissingGrants;
import io.pgstress.target.Target;
import io.pgstress.target.WriteAccess;
import io.pgstress.target.dialect.Dialect;
import io.pgstress.target.dialect.Dialect.PreparedTransaction;
import io.pgstress.target.driver.DriverSession;
import io.pgstress.target.driver.ServerErrors;
import io.pgstress.target.driver.SessionPurpose;
import io.pgstress.target.driver.TargetException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Runs statements that define or reset tables on the first server, on a control connection that is opened when it is needed and
 * again after {@link #close}. Used by one thread at a time.
 */
final class ControlWork implements AutoCloseable {
    private static final String LOCK_NOT_AVAILABLE = "55P03";

    /** How long a server is asked for a session again that it has ended. */
    private static final long MAX_LOST_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final Target target;
    private final TableName table;
    private @Nullable Connection open;
    private boolean hasWorked;

    /** @param table the table under load */
    ControlWork(Target target, TableName table) {
        this.target = target;
        this.table = table;
    }

    /** What to do on the connection. It is done again from its beginning if the server ends the session meanwhile. */
    interface Work {
        void on(Connection control) throws SQLException;
    }

    /**
     * Does the work. Once it has been able to, it opens another session if the server ends one, as the clients do.
     *
     * @param failure begins the message if the work fails
     * @throws TargetException if it fails; says which prepared transactions hold locks that it waited for, and which
     *     grant is missing
     */
    void run(String failure, Work work) {
        try {
            doneWhenPossible(work);
        } catch (SQLException e) {
            close();
            throw new TargetException(
                    failure + ": " + ServerErrors.sampleOf(e) + lockHolders(e)
                            + MissingGrants.words(target.first().connector(), e, table)
                            + WriteAccess.words(target.first().connector(), e),
                    e);
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    private void doneWhenPossible(Work work) throws SQLException {
        long until = System.nanoTime() + MAX_LOST_NANOS;
        while (true) {
            try {
                Connection control = open == null ? target.first().connector().open(SessionPurpose.DDL) : open;
                open = control;
                work.on(control);
                hasWorked = true;
                return;
            } catch (SQLException e) {
                boolean isLost = !ServerErrors.sessionIsAlive(e) && ServerErrors.isConnectionLost(e);
                if (!hasWorked
                        || !isLost
                        || System.nanoTime() >= until
                        || Thread.currentThread().isInterrupted()) {
                    throw e;
                }
                close();
                LockSupport.parkNanos(RETRY_NANOS);
            }
        }
    }

    /** Does work without which the operations cannot run. */
    void prepare(Work work) {
        run("the operations could not be prepared", work);
    }

    /** Does work of several operations, one after the other, without which they cannot run. */
    void prepare(List<Operation> some, Function<Operation, Work> each) {
        prepare(connection -> {
            for (Operation operation : some) {
                each.apply(operation).on(connection);
            }
        });
    }

    /**
     * A suffix for the message of a lock timeout that lists prepared transactions that were never ended: they hold their locks beyond
     * the end of their session, and across restarts. Empty if there are none.
     */
    private String lockHolders(SQLException failure) {
        if (!LOCK_NOT_AVAILABLE.equals(failure.getSQLState())) {
            return "";
        }
        Dialect transactions = target.dialect();
        try (Connection connection = target.first().connector().open(SessionPurpose.LOOKUP)) {
            List<PreparedTransaction> all = transactions.prepared(connection);
            return all.isEmpty() ? "" : "; " + PreparedTransaction.words(all, transactions.endOfPrepared());
        } catch (SQLException e) {
            return "; pg_prepared_xacts could not be read: " + ServerErrors.sampleOf(e);
        }
    }

    /** Ends the session, and so lets the server count what it did. */
    @Override
    public void close() {
        Connection control = open;
        open = null;
        try {
            if (control != null) {
                control.close();
            }
        } catch (SQLException e) {
            DriverSession.abort(control);
        }
    }
}
