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

    @Override
    public String totalBytes(TableName table) {
        return "select pg_total_relation_size(" + table.literal() + ")";
    }
}
