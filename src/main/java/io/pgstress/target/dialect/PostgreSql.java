package io.pgstress.target.dialect;

import io.pgstress.plan.TableName;
import io.pgstress.target.driver.Connector;
import java.sql.Connection;
import java.sql.SQLException;

/** A single PostgreSQL server, or a compatible server that does not distribute tables. */
final class PostgreSql implements Dialect {
    @Override
    public String name() {
        return "postgres";
    }

    @Override
    public boolean recognises(Connection connection) {
        return true;
    }

    @Override
    public boolean commitsInOnePlace() {
        return true;
    }

    @Override
    public String updateCounter(TableName table) {
        return "select pg_stat_get_tuples_updated(" + table.literal()
                + "::regclass), " + table.literal() + "::regclass::oid || ' ' || " + STATISTICS_SINCE
                + " where current_setting('track_counts') = 'on'";
    }

    @Override
    public String newerThanNow(Connection connection, TableName table) throws SQLException {
        return CatalogQueries.newerThanNow(connection);
    }

    @Override
    public Connector connector(Connector found) {
        return found;
    }
}
