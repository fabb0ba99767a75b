package io.pgstress.target.pool;

import io.pgstress.target.driver.Connector;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;

/** No pool, and no session is used twice: borrowing opens one, and closing it ends it. As {@code pgbench -C}. */
final class NewSessions implements ConnectionPool {
    private final Connector connector;

    NewSessions(Connector connector) {
        this.connector = connector;
    }

    @Override
    public Connection borrow() throws SQLException {
        return connector.open();
    }

    @Override
    public boolean isReused() {
        return false;
    }

    /** Opens and closes one session, so that a wrong setting is reported before the load and not once per operation. */
    @Override
    public void fill() throws SQLException {
        connector.open().close();
    }

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
}
