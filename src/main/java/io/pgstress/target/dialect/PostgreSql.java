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

    /**
     * The text contains the times of the server's start and of the last reset of the database's statistics. A crash
     * also resets them.
     */
    @Override
    public String updateCounter(TableName table) {
        return "select pg_stat_get_tuples_updated(" + table.literal()
                + "::regclass), " + table.literal() + "::regclass::oid || ' ' || pg_postmaster_start_time() || ' '"
                + " || coalesce(pg_stat_get_db_stat_reset_time(d.oid)::text, '') || ' '"
                // changes when recovery from a crash discards all statistics
                + " || coalesce(pg_stat_get_bgwriter_stat_reset_time()::text, '') from pg_database d"
                + " where d.datname = current_database() and current_setting('track_counts') = 'on'";
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
