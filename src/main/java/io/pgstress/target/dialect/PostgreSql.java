package io.pgstress.target.dialect;

import io.pgstress.plan.KeyType;
import io.pgstress.plan.TableName;
import java.sql.Connection;
import java.util.List;

/** A PostgreSQL of one node, and whatever else speaks its language without distributing. */
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
    public List<String> createTable(TableName table, KeyType key) {
        return List.of("create table " + table.quoted() + " (_id " + key.ddl()
                + " primary key, data jsonb not null default '{}')");
    }

    @Override
    public List<String> createLike(TableName copy, TableName table, KeyType key) {
        return List.of("create table " + copy.quoted() + " (like " + table.quoted() + " including all)");
    }

    /** The times are those of the server's start and of a reset of the database's statistics, which a crash is too. */
    @Override
    public String updateCounter(TableName table) {
        return "select pg_stat_get_tuples_updated(" + table.literal() + "::regclass), pg_postmaster_start_time() || ' '"
                + " || coalesce(pg_stat_get_db_stat_reset_time(d.oid)::text, '') from pg_database d"
                + " where d.datname = current_database() and current_setting('track_counts') = 'on'";
    }

    @Override
    public boolean showsRowTransactions() {
        return true;
    }

    @Override
    public String totalBytes(TableName table) {
        return "select pg_total_relation_size(" + table.literal() + ")";
    }
}
