package io.pgstress.target.pool;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import com.zaxxer.hikari.SQLExceptionOverride;
import io.pgstress.target.driver.Connector;
import io.pgstress.target.driver.ServerErrors;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * HikariCP with a fixed size and connections that live as long as the run. It discards a connection on any SQLSTATE 08* and
 * some others; those whose session is alive are kept.
 */
final class HikariPool implements ConnectionPool {
    private static final long ACQUIRE_MILLIS = 30_000;

    private final HikariDataSource source;
    private final int size;

    HikariPool(Connector connector, int size) {
        HikariConfig config = new HikariConfig();
        config.setPoolName("stress");
        config.setDataSource(new ConnectorDataSource(connector));
        config.setMaximumPoolSize(size);
        config.setMinimumIdle(size);
        config.setConnectionTimeout(ACQUIRE_MILLIS);
        config.setInitializationFailTimeout(-1);
        config.setMaxLifetime(0);
        config.setIdleTimeout(0);
        config.setKeepaliveTime(0);
        config.setExceptionOverride(new SQLExceptionOverride() {
            @java.lang.Override
            public SQLExceptionOverride.Override adjudicate(SQLException e) {
                return ServerErrors.sessionIsAlive(e)
                        ? SQLExceptionOverride.Override.DO_NOT_EVICT
                        : SQLExceptionOverride.Override.CONTINUE_EVICT;
            }
        });
        this.source = new HikariDataSource(config);
        this.size = size;
    }

    @Override
    public Connection borrow() throws SQLException {
        return source.getConnection();
    }

    @Override
    public void fill() throws SQLException {
        ConnectionPool.fill(source, size);
    }

    @Override
    public Map<String, String> settings() {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("maximumPoolSize", String.valueOf(source.getMaximumPoolSize()));
        settings.put("minimumIdle", String.valueOf(source.getMinimumIdle()));
        settings.put("connectionTimeout", source.getConnectionTimeout() + "ms");
        settings.put("maxLifetime", source.getMaxLifetime() + "ms");
        settings.put("idleTimeout", source.getIdleTimeout() + "ms");
        settings.put("keepaliveTime", source.getKeepaliveTime() + "ms");
        settings.put("exceptionOverride", "connections whose session is alive are kept");
        return settings;
    }

    @Override
    public Map<String, Number> gauges() {
        HikariPoolMXBean bean = source.getHikariPoolMXBean();
        if (bean == null) {
            return Map.of();
        }
        Map<String, Number> gauges = new LinkedHashMap<>();
        gauges.put("active", bean.getActiveConnections());
        gauges.put("idle", bean.getIdleConnections());
        gauges.put("total", bean.getTotalConnections());
        gauges.put("waiting", bean.getThreadsAwaitingConnection());
        return gauges;
    }

    @Override
    public void close() {
        source.close();
    }
}
