package io.pgstress.target.pool;

import io.pgstress.target.driver.Connector;
import io.pgstress.target.driver.SessionPurpose;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;

/** No pool: each client opens a connection and keeps it. */
class NoPool implements ConnectionPool {
    private final Connector connector;

    NoPool(Connector connector) {
        this.connector = connector;
    }

    @Override
    public Connection borrow() throws SQLException {
        return connector.open(SessionPurpose.LOAD);
    }

    @Override
    public boolean isKept() {
        return true;
    }

    @Override
    public void fill() throws SQLException {}

    @Override
    public Map<String, String> settings() {
        return Map.of();
    }

    @Override
    public Map<String, Number> gauges() {
        return Map.of();
    }

    @Override
    public void close() {}

    /** No pool, and no session is used twice: borrowing opens one, and closing it ends it. As {@code pgbench -C}. */
    static final class NewSessions extends NoPool {
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
}
