package io.pgstress.runner;

import io.pgstress.target.Target;
import io.pgstress.target.driver.ServerErrors;
import io.pgstress.target.driver.TargetException;
import java.sql.Connection;
import java.sql.SQLException;

/** Runs statements that define or reset tables on the first server, each time on a control connection of its own. */
record ControlWork(Target target) {
    /** What to do on the connection. */
    interface Work {
        void on(Connection control) throws SQLException;
    }

    /**
     * Does the work.
     *
     * @param failure begins the message if the work fails
     * @throws TargetException if it fails; says which prepared transactions hold locks that it waited for
     */
    void run(String failure, Work work) {
        try (Connection control = target.first().connector().openDdl()) {
            work.on(control);
        } catch (SQLException e) {
            throw new TargetException(failure + ": " + ServerErrors.sampleOf(e) + LockHolders.words(target, e), e);
        }
    }
}
