package io.pgstress.target.dialect;

import io.pgstress.plan.TableName;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Citus: a coordinator and its workers, which have shards of the tables. What it reads is in every version from 7.5 on, apart
 * from two columns of {@code pg_dist_node}: {@code metadatasynced} (9.0) and {@code shouldhaveshards} (9.1). Before them, a node
 * was always in sync, and each had shards.
 */
final class Citus implements Dialect, Topology, Transactions {
    private static final String NODES = """
            select nodename || ':' || nodeport, case groupid when 0 then 'coordinator' else 'worker' end, nodename, nodeport,
                   groupid = 0 or (hasmetadata and coalesce((to_jsonb(n) ->> 'metadatasynced')::boolean, true)),
                   coalesce((to_jsonb(n) ->> 'shouldhaveshards')::boolean, true),
                   groupid = (select groupid from pg_dist_local_group)
            from pg_dist_node n where noderole = 'primary' and isactive order by groupid, 1
            """;
    /** The setting exists up to Citus 10; later versions always commit in two phases. */
    private static final String TWO_PHASES =
            "select coalesce(current_setting('citus.multi_shard_commit_protocol', true), '2pc') <> '1pc'";

    private final Tables tables;

    Citus() {
        this(TableOptions.DEFAULT);
    }

    private Citus(TableOptions options) {
        this.tables = new CitusTables(options);
    }

    @Override
    public String name() {
        return "citus";
    }

    @Override
    public boolean recognises(Connection connection) throws SQLException {
        return CatalogQueries.holds(connection, "select exists (select 1 from pg_extension where extname = 'citus')");
    }

    @Override
    public Tables tables() {
        return tables;
    }

    @Override
    public Dialect with(TableOptions options) {
        return new Citus(options);
    }

    @Override
    public Topology topology() {
        return this;
    }

    @Override
    public Plans plans() {
        return new CitusPlans();
    }

    @Override
    public Transactions transactions() {
        return this;
    }

    @Override
    public List<CatalogNode> nodes(Connection connection) throws SQLException {
        List<CatalogNode> nodes = new ArrayList<>(CatalogQueries.nodes(connection, NODES));
        if (nodes.stream().noneMatch(CatalogNode::isAsked)) {
            // the catalog need not contain the coordinator itself; up to Citus 10 it rarely does
            nodes.add(0, new CatalogNode("coordinator", "coordinator", "", 0, true, false, true));
        }
        return nodes;
    }

    /** Workers reject definitions. */
    @Override
    public boolean definesThroughFirstOnly() {
        return true;
    }

    @Override
    public boolean commitsInTwoPhases(Connection load) throws SQLException {
        return CatalogQueries.holds(load, TWO_PHASES);
    }

    /** Each placement of a shard has its own count; a table that is not distributed has no placements. */
    @Override
    public String updateCounter(TableName table) {
        return "select sum(split_part(result, ' ', 1)::bigint), string_agg(distinct split_part(result, ' ', 2), ' ')"
                + " from run_command_on_placements(" + table.literal()
                + ", $$select pg_stat_get_tuples_updated('%s'::regclass) || ' ' ||"
                + " extract(epoch from pg_postmaster_start_time())$$) having bool_and(success)";
    }
}
