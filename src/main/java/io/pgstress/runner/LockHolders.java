package io.pgstress.runner;

import io.pgstress.target.Target;
import io.pgstress.target.dialect.Dialect;
import io.pgstress.target.dialect.PreparedTransaction;
import io.pgstress.target.driver.ServerErrors;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** Prepared transactions that were never ended: they hold their locks beyond the end of their session, and across restarts. */
final class LockHolders {
    private static final String LOCK_NOT_AVAILABLE = "55P03";

    private LockHolders() {}

    /** A suffix for the message of a lock timeout that lists the prepared transactions; empty if there are none. */
    static String words(Target target, SQLException failure) {
        if (!LOCK_NOT_AVAILABLE.equals(failure.getSQLState())) {
            return "";
        }
        Dialect dialect = target.dialect();
        try (Connection connection = target.first().connector().openLookup()) {
            List<PreparedTransaction> all = dialect.transactions().prepared(connection);
            return all.isEmpty()
                    ? ""
                    : "; "
                            + PreparedTransaction.words(
                                    all, dialect.transactions().endOfPrepared());
        } catch (SQLException e) {
            return "; pg_prepared_xacts could not be read: " + ServerErrors.sampleOf(e);
        }
    }
}
