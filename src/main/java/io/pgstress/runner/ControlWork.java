package io.pgstress.runner;

import io.pgstress.plan.TableName;
import io.pgstress.target.Target;
import io.pgstress.target.driver.DriverSession;
import io.pgstress.target.driver.ServerErrors;
import io.pgstress.target.driver.TargetException;
import io.pgstress.target.rights.MissingGrants;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Runs statements that define or reset tables on the first server, on a control connection that is opened when it is needed and
 * again after {@link #close}. Used by one thread at a time.
 */
final class ControlWork implements AutoCloseable {
    private final Target target;
    private final TableName table;
    private @Nullable Connection open;

    /** @param table the table under load */
    ControlWork(Target target, TableName table) {
        this.target = target;
        this.table = table;
    }

    /** What to do on the connection. */
    interface Work {
        void on(Connection control) throws SQLException;
    }

    /**
     * Does the work.
     *
     * @param failure begins the message if the work fails
     * @throws TargetException if it fails; says which prepared transactions hold locks that it waited for, and which
     *     grant is missing
     */
    void run(String failure, Work work) {
        try {
            Connection control = open == null ? target.first().connector().openDdl() : open;
            open = control;
            work.on(control);
        } catch (SQLException e) {
            close();
            throw new TargetException(
                    failure + ": " + ServerErrors.sampleOf(e) + LockHolders.words(target, e)
                            + MissingGrants.words(target.first().connector(), e, table),
                    e);
        } catch (RuntimeException e) {
            close();
            throw e;
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
