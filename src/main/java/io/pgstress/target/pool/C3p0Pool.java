package io.pgstress.target.pool;

import com.mchange.v2.c3p0.DataSources;
import com.mchange.v2.c3p0.PooledDataSource;
import io.pgstress.target.driver.Connector;
import io.pgstress.target.driver.SessionPurpose;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.sql.DataSource;

/**
 * c3p0 with a fixed size and connections that live as long as the run. Its statement cache is off, because the driver caches
 * the statements of each connection.
 */
final class C3p0Pool implements ConnectionPool {
    private static final int ACQUIRE_MILLIS = 30_000;

    private final Connector connector;
    private final PooledDataSource source;
    private final Map<String, Object> overrides = new LinkedHashMap<>();
    private final int size;

    C3p0Pool(Connector connector, int size) throws SQLException {
        overrides.put("initialPoolSize", size);
        overrides.put("minPoolSize", size);
        overrides.put("maxPoolSize", size);
        overrides.put("maxIdleTime", 0);
        overrides.put("maxConnectionAge", 0);
        overrides.put("idleConnectionTestPeriod", 0);
        overrides.put("maxStatements", 0);
        overrides.put("maxStatementsPerConnection", 0);
        overrides.put("numHelperThreads", 3);
        overrides.put("checkoutTimeout", ACQUIRE_MILLIS);
        overrides.put("acquireRetryAttempts", 0);
        overrides.put("acquireRetryDelay", 200);
        // otherwise a helper thread checks connections in, and the next borrower waits for that thread
        overrides.put("forceSynchronousCheckins", true);
        overrides.put("testConnectionOnCheckin", false);
        overrides.put("testConnectionOnCheckout", false);
        this.connector = connector;
        DataSource unpooled = new ConnectorDataSource(connector);
        this.source = (PooledDataSource) DataSources.pooledDataSource(unpooled, overrides);
        this.size = size;
    }

    @Override
    public Connection borrow() throws SQLException {
        return source.getConnection();
    }

    /** A connection outside of the pool comes first: c3p0 would try for half a minute, and not say what prevents it. */
    @Override
    public void fill() throws SQLException {
        connector.countingSessions(null).open(SessionPurpose.LOAD).close();
        ConnectionPool.fill(source, size);
    }

    @Override
    public Map<String, String> settings() {
        Map<String, String> settings = new LinkedHashMap<>();
        overrides.forEach((name, value) -> settings.put(name, String.valueOf(value)));
        return settings;
    }

    @Override
    public Map<String, Number> gauges() {
        Map<String, Number> gauges = new LinkedHashMap<>();
        try {
            gauges.put("active", source.getNumBusyConnectionsDefaultUser());
            gauges.put("idle", source.getNumIdleConnectionsDefaultUser());
            gauges.put("total", source.getNumConnectionsDefaultUser());
            gauges.put("waiting", source.getNumThreadsAwaitingCheckoutDefaultUser());
        } catch (SQLException e) {
            return Map.of();
        }
        return gauges;
    }

    @Override
    public void close() {
        try {
            DataSources.destroy(source);
        } catch (SQLException e) {
            throw new IllegalStateException("c3p0 did not close", e);
        }
    }
}
