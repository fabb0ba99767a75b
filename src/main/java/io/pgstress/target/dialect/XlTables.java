package io.pgstress.target.dialect;

import io.pgstress.plan.KeyType;
import io.pgstress.plan.TableName;
import io.pgstress.plan.sql.Quoting;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Tables of Postgres-XL: distributed when they are created. DDL through two coordinators under load can deadlock without being
 * detected, so it waits for locks for a limited time. The size functions already cover all datanodes.
 */
final class XlTables implements Tables {
    private static final String LOCK_LIMIT = "set lock_timeout = '10s'";

    private final Plans plans;

    /** @param plans lists the datanodes of a table */
    XlTables(Plans plans) {
        this.plans = plans;
    }

    @Override
    public List<String> create(TableName table, KeyType key, boolean primaryKey) {
        return List.of(LOCK_LIMIT, Tables.super.create(table, key, primaryKey).get(0) + " distribute by hash(_id)");
    }

    @Override
    public List<String> createLike(TableName copy, TableName table, KeyType key) {
        return List.of(LOCK_LIMIT, Tables.super.createLike(copy, table, key).get(0) + " distribute by hash(_id)");
    }

    @Override
    public List<String> createDistributed(String create, TableName table, String column, int shards) {
        return List.of(LOCK_LIMIT, create + " distribute by hash(" + column + ")");
    }

    /** No function returns the node; a hash selects it by its position in the table's list of nodes. */
    @Override
    public long[] partsOfKeys(Connection connection, TableName table, String column, int count) throws SQLException {
        String nodes = plans.layout(connection, table).nodes().stream()
                .map(Quoting::identifier)
                .collect(Collectors.joining(", "));
        return KeyPlaces.byRows(
                connection,
                "create temporary table " + KeyPlaces.PROBE + " distribute by hash(" + column + ") to node (" + nodes
                        + ") as select " + column + " from " + table.quoted() + " limit 0",
                column,
                "xc_node_id",
                count);
    }

    /** For an index, the size functions cover the coordinator only. */
    @Override
    public long bytesOfIndex(Connection connection, TableName table, String index) throws SQLException {
        String size =
                Quoting.literal("select pg_relation_size(" + new TableName(table.schema(), index).literal() + ")");
        long bytes = 0;
        for (String node : plans.layout(connection, table).nodes()) {
            bytes += CatalogQueries.sum(connection, "execute direct on (" + Quoting.identifier(node) + ") " + size);
        }
        return bytes;
    }

    @Override
    public boolean distributesByKey() {
        return true;
    }

    @Override
    public List<NodeBytes> bytesByNode(Connection connection, TableName table) throws SQLException {
        List<NodeBytes> all = new ArrayList<>();
        for (String node : plans.layout(connection, table).nodes()) {
            all.addAll(CatalogQueries.bytes(
                    connection,
                    "execute direct on (" + Quoting.identifier(node) + ") "
                            + Quoting.literal("select " + Quoting.literal(node) + "::text, pg_table_size("
                                    + table.literal() + "), pg_indexes_size(" + table.literal() + ")")));
        }
        return all;
    }
}
