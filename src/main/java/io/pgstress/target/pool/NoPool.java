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
}
