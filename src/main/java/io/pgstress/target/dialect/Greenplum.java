package io.pgstress.target.dialect;

import io.pgstress.plan.KeyType;
import io.pgstress.plan.TableName;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** Greenplum, whose version 6 is PostgreSQL 9.4: tables are distributed when they are created, and there is no ON CONFLICT. */
final class Greenplum implements Dialect {
    private static final Tables TABLES = new Tables() {
        @Override
        public List<String> create(TableName table, KeyType key, boolean primaryKey) {
            return List.of(Tables.super.create(table, key, primaryKey).get(0) + " distributed by (_id)");
        }

        @Override
        public List<String> createLike(TableName copy, TableName table, KeyType key) {
            return List.of(Tables.super.createLike(copy, table, key).get(0) + " distributed by (_id)");
        }

        @Override
        public List<String> createDistributed(String create, TableName table, String column, int shards) {
            return List.of(create + " distributed by (" + column + ")");
        }

        @Override
        public long[] partsOfKeys(Connection connection, TableName table, String column, int count)
                throws SQLException {
            return KeyPlaces.byRows(
                    connection,
                    "create temporary table " + KeyPlaces.PROBE + " as select " + column + " from " + table.quoted()
                            + " limit 0 distributed by (" + column + ")",
                    column,
                    "gp_segment_id",
                    count);
        }
    };

    @Override
    public String name() {
        return "greenplum";
    }

    @Override
    public boolean recognises(Connection connection) throws SQLException {
        return CatalogQueries.holds(connection, "select version() ~ 'Greenplum'");
    }

    @Override
    public Tables tables() {
        return TABLES;
    }
}
