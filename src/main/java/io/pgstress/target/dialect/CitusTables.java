package io.pgstress.target.dialect;

import io.pgstress.plan.KeyType;
import io.pgstress.plan.TableName;
import io.pgstress.plan.sql.Quoting;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Tables of Citus, which are distributed by {@code _id} after they are created. {@code LIKE} creates a local table, so the copy
 * is then distributed and colocated with the original. Sizes come from functions of Citus, because on the coordinator alone
 * they are near 0.
 */
final class CitusTables implements Tables {
    private static final String BY_NODE = """
        select nodename || ':' || nodeport, sum(split_part(result, ' ', 1)::bigint), sum(split_part(result, ' ', 2)::bigint)
        from run_command_on_placements(?, $$select pg_table_size('%1$s') || ' ' || pg_indexes_size('%1$s')$$)
        group by 1 order by 1
        """;

    private final TableOptions options;

    CitusTables(TableOptions options) {
        this.options = options;
    }

    @Override
    public List<String> create(TableName table, KeyType key, boolean primaryKey) {
        List<String> statements = new ArrayList<>();
        if (options.shards() > 0) {
            statements.add("set citus.shard_count = " + options.shards());
        }
        if (options.replicationFactor() > 0) {
            statements.add("set citus.shard_replication_factor = " + options.replicationFactor());
        }
        statements.addAll(Tables.super.create(table, key, primaryKey));
        statements.add(distribute(table, ""));
        return statements;
    }

    @Override
    public List<String> createLike(TableName copy, TableName table, KeyType key) {
        List<String> statements = new ArrayList<>(Tables.super.createLike(copy, table, key));
        statements.add(distribute(copy, ", colocate_with => " + table.literal()));
        return statements;
    }

    @Override
    public List<String> createDistributed(String create, TableName table, String column, int shards) {
        List<String> statements = new ArrayList<>();
        if (shards > 0) {
            statements.add("set citus.shard_count = " + shards);
        }
        statements.add(create);
        statements.add("select create_distributed_table(" + table.literal() + ", " + Quoting.literal(column)
                + (shards > 0 ? ", colocate_with => 'none'" : "") + ")");
        return statements;
    }

    private static String distribute(TableName table, String more) {
        return "select create_distributed_table(" + table.literal() + ", '_id'" + more + ")";
    }

    @Override
    public TableOptions options() {
        return options;
    }

    @Override
    public String indexBytes(TableName table) {
        String name = table.literal();
        return size(
                table, "citus_total_relation_size(" + name + ") - citus_table_size(" + name + ")", "pg_indexes_size");
    }

    /** On a shard, the index has the shard's number after its name. A name that this makes too long is not found: 0. */
    @Override
    public long bytesOfIndex(Connection connection, TableName table, String index) throws SQLException {
        String onShard = "select coalesce(sum(pg_relation_size(i.indexrelid)), 0) from pg_index i"
                + " join pg_class c on c.oid = i.indexrelid where i.indrelid = '%s'::regclass"
                + " and regexp_replace(c.relname, '_[0-9]+$', '') = "
                + Quoting.literal(index).replace("%", "%%");
        return CatalogQueries.sum(
                connection,
                "select result::bigint from run_command_on_placements(" + table.literal() + ", "
                        + Quoting.literal(onShard) + ")");
    }

    @Override
    public boolean distributesByKey() {
        return true;
    }

    @Override
    public String heapBytes(TableName table) {
        return size(table, "citus_relation_size(" + table.literal() + ")", "pg_relation_size");
    }

    @Override
    public String totalBytes(TableName table) {
        return size(table, "citus_total_relation_size(" + table.literal() + ")", "pg_total_relation_size");
    }

    @Override
    public long[] partsOfKeys(Connection connection, TableName table, String column, int count) throws SQLException {
        return KeyPlaces.of(
                connection,
                "select i, get_shard_id_for_distribution_column(" + table.literal() + ", i) from generate_series(1, "
                        + count + ") i",
                count);
    }

    @Override
    public List<NodeBytes> bytesByNode(Connection connection, TableName table) throws SQLException {
        return CatalogQueries.bytes(connection, BY_NODE.replace("?", table.literal()));
    }

    /** @param local the size function for a table that is not distributed */
    private static String size(TableName table, String distributed, String local) {
        String name = table.literal();
        return "select case when exists (select from pg_dist_partition where logicalrelid = " + name
                + "::regclass) then " + distributed + " else " + local + "(" + name + ") end";
    }

    @Override
    public boolean haveShards() {
        return true;
    }
}
