package io.pgstress.target.dialect;

import io.pgstress.plan.KeyType;
import io.pgstress.plan.TableName;
import io.pgstress.target.dialect.CatalogQueries.KeyPlaces;
import io.pgstress.target.dialect.Dialect.CatalogNode;
import io.pgstress.target.dialect.Plans.Footprint;
import io.pgstress.target.dialect.Plans.Layout;
import io.pgstress.target.dialect.Plans.PlanText;
import io.pgstress.target.dialect.Tables.NodeBytes;
import io.pgstress.target.dialect.Tables.TableOptions;
import io.pgstress.text.Quoting;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Citus: a coordinator and its workers, which have shards of the tables. What it reads is in every version from 7.5 on, apart
 * from two columns of {@code pg_dist_node}: {@code metadatasynced} (9.0) and {@code shouldhaveshards} (9.1). Before them, a node
 * was always in sync, and each had shards.
 */
final class Citus implements Dialect {
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

    /** From Citus 11 on, sessions are named by the global process identifier of the session that they work for. */
    private static final SessionNumbers NUMBERS = new SessionNumbers(
            """
            select 10000000000 * coalesce((select nodeid from pg_dist_node join pg_dist_local_group using (groupid)
                                           where noderole = 'primary'), 99999999)
            """,
            "substring(application_name from '^citus_internal gpid=([0-9]+)$')::bigint",
            "application_name ~ '^citus_internal gpid=[0-9]+$'",
            Set.of("Client", "Extension"));

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
        return CatalogQueries.holds(connection, "select exists (select 1 from pg_extension where extname = 'citus')");
    }

    @Override
    public Tables tables() {
        return new CitusTables(options);
    }

    @Override
    public Plans plans() {
        return new CitusPlans();
    }

    @Override
    public boolean isCluster() {
        return true;
    }

    @Override
    public Dialect with(TableOptions newOptions) {
        return newOptions.storage().isEmpty() ? new Citus(newOptions) : Dialect.super.with(newOptions);
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

    @Override
    public SessionNumbers sessionNumbers() {
        return NUMBERS;
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

    /**
     * Each placement of a shard has its own count, which begins at 0 where the shard moves to; a table that is not distributed has no
     * placements.
     */
    @Override
    public String updateCounter(TableName table) {
        return "select sum(split_part(result, ' ', 1)::bigint), md5(string_agg(concat_ws(' ', shardid, nodename, nodeport,"
                + " split_part(result, ' ', 2)), ',' order by shardid, nodename, nodeport))"
                + " from run_command_on_placements(" + table.literal()
                + ", $$select pg_stat_get_tuples_updated('%s'::regclass) || ' ' ||"
                + " extract(epoch from pg_postmaster_start_time()) || '/'"
                + " || coalesce(extract(epoch from pg_stat_get_bgwriter_stat_reset_time()), 0)$$) having bool_and(success)";
    }

    /** Citus: {@code Task Count} is the number of shards that a statement goes to; each task names its node. */
    static final class CitusPlans implements Plans {
        private static final Pattern TASKS = Pattern.compile("^\\s*Task Count: (\\d+)");
        private static final Pattern NODE = Pattern.compile("^\\s*Node: host=(\\S+ port=\\d+)");
        private static final String SHARDS = "select count(*) from pg_dist_shard where logicalrelid = %s::regclass";
        private static final String PLACES = """
            select distinct nodename || ':' || nodeport from pg_dist_shard join pg_dist_placement using (shardid)
            join pg_dist_node using (groupid) where noderole = 'primary' and logicalrelid = %s::regclass order by 1
            """;

        @Override
        public List<String> settings() {
            return List.of("set local citus.explain_all_tasks = on");
        }

        @Override
        public Layout layout(Connection connection, TableName table) throws SQLException {
            String name = Quoting.literal(table.quoted());
            int shards = Integer.parseInt(
                    CatalogQueries.texts(connection, SHARDS.replace("%s", name)).get(0));
            return shards == 0
                    ? Layout.LOCAL
                    : new Layout("shards", shards, CatalogQueries.texts(connection, PLACES.replace("%s", name)));
        }

        @Override
        public Footprint read(List<String> plan) {
            List<String> counts = PlanText.all(plan, TASKS);
            if (counts.isEmpty()) {
                return Plans.LOCAL.read(plan);
            }
            List<String> nodes = new ArrayList<>();
            PlanText.all(plan, NODE).forEach(n -> nodes.add(n.replace(" port=", ":")));
            int tasks = counts.stream().mapToInt(Integer::parseInt).sum();
            return new Footprint(OptionalInt.of(tasks), List.copyOf(new LinkedHashSet<>(nodes)), PlanText.scans(plan));
        }

        /** The name of a shard is the table's name and a number. An INSERT with a SELECT is the reset of the copy table. */
        @Override
        public String onNodes(TableName table) {
            return "query ~ " + Quoting.literal(PlanText.regex(table.name()) + "[A-Za-z0-9_]*_[0-9]{5,}")
                    + " and query ~* '^ *(explain|select|insert|update|delete|merge|with)' and query !~* '^ *insert.*"
                    + " select '";
        }
    }

    /**
     * Tables of Citus, which are distributed by {@code _id} after they are created. {@code LIKE} creates a local table, so the copy
     * is then distributed and colocated with the original. Sizes come from functions of Citus, because on the coordinator alone
     * they are near 0.
     */
    private record CitusTables(TableOptions options) implements Tables {
        /** PostgreSQL cuts longer names off at the end. */
        private static final int MAX_NAME_BYTES = 63;

        private static final String REFERENCE = "reference";
        private static final String LOCAL = "local";

        /** A table with all its rows in one shard that moves (Citus 12) has no distribution column and is colocated with others. */
        private static final String DISTRIBUTION =
                "select case when partmethod <> 'n' then case partmethod when 'h' then 'hash' else partmethod::text end"
                        + " when repmodel = 't' then '" + REFERENCE
                        + "' when colocationid <> 0 then 'single shard' else '"
                        + LOCAL + "' end,"
                        + " case when partkey is null then '' else column_to_column_name(logicalrelid, partkey) end,"
                        + " case when partmethod = 'n' and repmodel = 't' then '' else 'in ' ||"
                        + " (select count(*) from pg_dist_shard s where s.logicalrelid = p.logicalrelid)"
                        + " || ' shards of colocation group ' || colocationid end"
                        + " from pg_dist_partition p where logicalrelid = to_regclass(%s)";

        private static final String BY_NODE = """
            select nodename || ':' || nodeport, sum(split_part(result, ' ', 1)::bigint), sum(split_part(result, ' ', 2)::bigint)
            from run_command_on_placements(?, $$select pg_table_size('%1$s') || ' ' || pg_indexes_size('%1$s')$$)
            group by 1 order by 1
            """;

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
        public TableStorage storage(Connection connection, TableName table) throws SQLException {
            return Tables.super
                    .storage(connection, table)
                    .with(CatalogQueries.distribution(connection, DISTRIBUTION.replace("%s", table.literal())));
        }

        /** A table that is not distributed has a copy that is not. */
        @Override
        public List<String> createLike(TableName copy, TableName table, TableStorage storage) {
            List<String> statements = new ArrayList<>(Tables.super.createLike(copy, table, storage));
            String column = storage.distribution().column();
            switch (storage.distribution().method()) {
                case "" -> {}
                case REFERENCE -> statements.add("select create_reference_table(" + copy.literal() + ")");
                case LOCAL -> statements.add("select citus_add_local_table_to_metadata(" + copy.literal() + ")");
                default ->
                    statements.add("select create_distributed_table(" + copy.literal() + ", "
                            + (column.isEmpty() ? "null" : Quoting.literal(column)) + ", colocate_with => "
                            + table.literal() + ")");
            }
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

        /** Up to Citus 10, a constraint that is added to a distributed table must have a name (0A000). */
        @Override
        public String addKey(TableName table) {
            return "alter table " + table.quoted() + " add constraint " + Quoting.identifier(keyName(table.name()))
                    + " primary key (_id)";
        }

        /** PostgreSQL's own choice: the table's name, as much of it as fits, and {@code _pkey}. */
        private static String keyName(String table) {
            String end = "_pkey";
            String start = table;
            while (start.getBytes(StandardCharsets.UTF_8).length > MAX_NAME_BYTES - end.length()) {
                start = start.substring(0, start.offsetByCodePoints(start.length(), -1));
            }
            return start + end;
        }

        private static String distribute(TableName table, String more) {
            return "select create_distributed_table(" + table.literal() + ", '_id'" + more + ")";
        }

        @Override
        public String indexBytes(TableName table) {
            String name = table.literal();
            return size(
                    table,
                    "citus_total_relation_size(" + name + ") - citus_table_size(" + name + ")",
                    "pg_indexes_size");
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
        public long[] partsOfKeys(Connection connection, TableName table, String column, int count)
                throws SQLException {
            return KeyPlaces.of(
                    connection,
                    "select i, get_shard_id_for_distribution_column(" + table.literal()
                            + ", i) from generate_series(1, " + count + ") i",
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
}
