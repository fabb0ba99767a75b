package io.pgstress.target.dialect;

import io.pgstress.plan.KeyType;
import io.pgstress.plan.TableName;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Citus: tables are distributed by {@code _id} after they are made; {@code like} makes a local table, so the copy is
 * distributed beside the first. Sizes on the coordinator are near 0 unless Citus is asked.
 */
final class Citus implements Dialect {
    private static final String NODES = """
            select nodename || ':' || nodeport, case groupid when 0 then 'coordinator' else 'worker' end, nodename, nodeport,
                   groupid = 0 or (hasmetadata and metadatasynced), shouldhaveshards,
                   groupid = (select groupid from pg_dist_local_group)
            from pg_dist_node where noderole = 'primary' and isactive order by groupid, 1
            """;

    private static final String BY_NODE = """
            select nodename || ':' || nodeport, sum(split_part(result, ' ', 1)::bigint), sum(split_part(result, ' ', 2)::bigint)
            from run_command_on_placements(?, $$select pg_table_size('%1$s') || ' ' || pg_indexes_size('%1$s')$$)
            group by 1 order by 1
            """;

    private final TableOptions options;

    Citus() {
        this(TableOptions.DEFAULT);
    }

    private Citus(TableOptions options) {
        this.options = options;
    }

    @Override
    public String name() {
        return "citus";
    }

    @Override
    public boolean recognises(Connection connection) throws SQLException {
        return Catalog.holds(connection, "select exists (select 1 from pg_extension where extname = 'citus')");
    }

    @Override
    public List<String> createTable(TableName table, KeyType key) {
        List<String> statements = new ArrayList<>();
        if (options.shards() > 0) {
            statements.add("set citus.shard_count = " + options.shards());
        }
        if (options.replicationFactor() > 0) {
            statements.add("set citus.shard_replication_factor = " + options.replicationFactor());
        }
        statements.addAll(new PostgreSql().createTable(table, key));
        statements.add(distribute(table, ""));
        return statements;
    }

    @Override
    public List<String> createLike(TableName copy, TableName table, KeyType key) {
        List<String> statements = new ArrayList<>(new PostgreSql().createLike(copy, table, key));
        statements.add(distribute(copy, ", colocate_with => " + Catalog.literal(table.quoted())));
        return statements;
    }

    @Override
    public List<String> createDistributed(String create, TableName table, String column, int shards) {
        List<String> statements = new ArrayList<>();
        if (shards > 0) {
            statements.add("set citus.shard_count = " + shards);
        }
        statements.add(create);
        statements.add("select create_distributed_table(" + Catalog.literal(table.quoted()) + ", "
                + Catalog.literal(column) + (shards > 0 ? ", colocate_with => 'none'" : "") + ")");
        return statements;
    }

    private static String distribute(TableName table, String more) {
        return "select create_distributed_table(" + Catalog.literal(table.quoted()) + ", '_id'" + more + ")";
    }

    @Override
    public Dialect with(TableOptions asked) {
        return new Citus(asked);
    }

    @Override
    public TableOptions tableOptions() {
        return options;
    }

    @Override
    public List<CatalogNode> nodes(Connection connection) throws SQLException {
        List<CatalogNode> nodes = new ArrayList<>(Catalog.nodes(connection, NODES));
        if (nodes.stream().noneMatch(CatalogNode::isAsked)) {
            // a coordinator need not be in its own catalog: up to Citus 10 it seldom is
            nodes.add(0, new CatalogNode("coordinator", "coordinator", "", 0, true, false, true));
        }
        return nodes;
    }

    @Override
    public Plans plans() {
        return new CitusPlans();
    }

    /** Each placement of a shard counts by itself; a table that is not distributed has none. */
    @Override
    public String updateCounter(TableName table) {
        return "select sum(split_part(result, ' ', 1)::bigint), string_agg(distinct split_part(result, ' ', 2), ' ')"
                + " from run_command_on_placements(" + table.literal()
                + ", $$select pg_stat_get_tuples_updated('%s'::regclass) || ' ' ||"
                + " extract(epoch from pg_postmaster_start_time())$$) having bool_and(success)";
    }

    /** Workers refuse them. */
    @Override
    public boolean definesThroughFirstOnly() {
        return true;
    }

    @Override
    public String indexBytes(TableName table) {
        String name = Catalog.literal(table.quoted());
        return size(
                table, "citus_total_relation_size(" + name + ") - citus_table_size(" + name + ")", "pg_indexes_size");
    }

    @Override
    public String heapBytes(TableName table) {
        return size(table, "citus_relation_size(" + Catalog.literal(table.quoted()) + ")", "pg_relation_size");
    }

    @Override
    public String totalBytes(TableName table) {
        return size(
                table, "citus_total_relation_size(" + Catalog.literal(table.quoted()) + ")", "pg_total_relation_size");
    }

    @Override
    public long[] partsOfKeys(Connection connection, TableName table, String column, int most) throws SQLException {
        return KeyPlaces.of(
                connection,
                "select i, get_shard_id_for_distribution_column(" + Catalog.literal(table.quoted())
                        + ", i) from generate_series(1, " + most + ") i",
                most);
    }

    @Override
    public List<NodeBytes> bytesByNode(Connection connection, TableName table) throws SQLException {
        return Catalog.bytes(connection, BY_NODE.replace("?", Catalog.literal(table.quoted())));
    }

    /** @param local the function of a table that is not distributed */
    private static String size(TableName table, String distributed, String local) {
        String name = Catalog.literal(table.quoted());
        return "select case when exists (select from pg_dist_partition where logicalrelid = " + name
                + "::regclass) then " + distributed + " else " + local + "(" + name + ") end";
    }
}
