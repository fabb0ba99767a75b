package io.pgstress.target.pool;

import io.pgstress.target.driver.Connector;
import io.pgstress.target.driver.SessionPurpose;
import java.sql.SQLException;

/** No pool, and no session is used twice: borrowing opens one, and closing it ends it. As {@code pgbench -C}. */
final class NewSessions extends NoPool {
    private final Connector connector;

    NewSessions(Connector connector) {
        super(connector.countingSessions(null)); // a query per operation would be part of it
        this.connector = connector;
    }

    @Override
    public boolean isKept() {
        return false;
    }

    @Override
    public boolean isReused() {
        return false;
    }

    /** Opens and closes one session, so that a wrong setting is reported before the load and not once per operation. */
    @Override
    public void fill() throws SQLException {
        connector.open(SessionPurpose.LOAD).close();
    }
}
