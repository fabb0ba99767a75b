package io.pgstress.target.dialect;

import io.pgstress.plan.KeyType;
import io.pgstress.plan.StatementMode;
import io.pgstress.plan.TableName;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.target.dialect.CatalogQueries.KeyPlaces;
import io.pgstress.target.dialect.Dialect.CatalogNode;
import io.pgstress.target.dialect.Dialect.PreparedTransaction;
import io.pgstress.target.dialect.Plans.Footprint;
import io.pgstress.target.dialect.Plans.Layout;
import io.pgstress.target.dialect.Plans.PlanText;
import io.pgstress.target.dialect.TableStorage.Distribution;
import io.pgstress.target.dialect.Tables.NodeBytes;
import io.pgstress.target.driver.ControlSql;
import io.pgstress.text.Quoting;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Postgres-XL: coordinators, which take statements, datanodes, which have the rows, and a GTM that numbers transactions. */
final class PostgresXl implements Dialect {
    private static final String NODES = """
        select node_name, case node_type when 'C' then 'coordinator' else 'datanode' end, node_host, node_port,
               node_type = 'C', node_type = 'D', node_name = current_setting('pgxc_node_name')
        from pgxc_node order by node_type, node_name
        """;
    /** The GTM numbers transactions for all nodes alike. Those that only read have no number. */
    private static final SessionNumbers NUMBERS =
            new SessionNumbers(null, "backend_xid::text::bigint", "application_name like 'pgxc:%'", Set.of());

    /** The prefix of transactions that the servers themselves prepare. */
    private static final String OF_SERVERS = "_$XC$";

    @Override
    public String name() {
        return "postgres-xl";
    }

    @Override
    public boolean recognises(Connection connection) throws SQLException {
        return CatalogQueries.holds(connection, "select version() ~ 'Postgres-XL'");
    }

    @Override
    public Tables tables() {
        return new XlTables(new XlPlans());
    }

    @Override
    public Plans plans() {
        return new XlPlans();
    }

    @Override
    public SessionNumbers sessionNumbers() {
        return NUMBERS;
    }

    /** A coordinator of 10r1.1 reports no wait event while it waits for a datanode. */
    @Override
    public boolean showsWaitsForNodes() {
        return false;
    }

    @Override
    public boolean isCluster() {
        return true;
    }

    @Override
    public List<CatalogNode> nodes(Connection connection) throws SQLException {
        return CatalogQueries.nodes(connection, NODES);
    }

    /** Messages such as "Failed to receive more data from data node 16384" give the OID, which is another on each coordinator. */
    @Override
    public Map<String, String> nodeNames(Connection connection) throws SQLException {
        Map<String, String> names = new TreeMap<>();
        ControlSql.rows(
                connection,
                "select oid::text, node_name from pgxc_node",
                row -> names.put(row.getString(1), row.getString(2)));
        return names;
    }

    /** If the GTM is unavailable, every node waits, and for longer than the outage. */
    @Override
    public String silentTogether() {
        return "perhaps the GTM did not answer";
    }

    /** The transactions of all nodes. */
    @Override
    public List<PreparedTransaction> prepared(Connection connection) throws SQLException {
        List<PreparedTransaction> all = new ArrayList<>();
        for (CatalogNode node : nodes(connection)) {
            String sql = node.isAsked()
                    ? PreparedTransaction.QUERY
                    : "execute direct on (" + Quoting.identifier(node.name()) + ") "
                            + Quoting.literal(PreparedTransaction.QUERY);
            all.addAll(CatalogQueries.prepared(connection, node.name(), sql));
        }
        return all;
    }

    @Override
    public String endOfPrepared() {
        return "execute direct on (node) 'rollback prepared ''...''' for each, once no session uses it and no other"
                + " node has committed it (docs/clusters.md)";
    }

    @Override
    public boolean isOfServers(PreparedTransaction transaction) {
        return transaction.gid().startsWith(OF_SERVERS);
    }

    @Override
    public boolean hasSavepoints() {
        return false;
    }

    /** The GTM numbers transactions for all nodes alike. */
    @Override
    public String newerThanNow(Connection connection, TableName table) throws SQLException {
        return CatalogQueries.newerThanNow(connection);
    }

    /**
     * Coordinators lend connections to the datanodes from a pool. The connection of a datanode loses the path when it is returned to the coordinator's pool. When it is lent again, the
     * path is sent only for statements that are parsed each time, not for those already prepared on it.
     */
    @Override
    public String losesSearchPath(Connection load) throws SQLException {
        return CatalogQueries.holds(
                        load,
                        "select current_setting('persistent_datanode_connections') = 'off'"
                                + " and current_schemas(false) <> '{public}'")
                ? "prepared statements of Postgres-XL find no tables by currentSchema or another search_path of the session; use"
                        + " --statement extended or plain, or set the path for the role (alter role ... set search_path)"
                : "";
    }

    /**
     * Both were observed on Postgres-XL 10r1.1 (docs/clusters.md). With persistent connections, if a parameter routes an
     * insert, the datanode's transaction stays open and is rolled back at the end of the session. Without them, a datanode
     * panics at COMMIT.
     */
    @Override
    public List<Remark> hazards(Connection load, StatementMode mode, boolean isTransaction) throws SQLException {
        boolean isPersistent =
                CatalogQueries.holds(load, "select current_setting('persistent_datanode_connections') = 'on'");
        if (isPersistent && !isTransaction && mode != StatementMode.PLAIN) {
            return List.of(RemarkCode.POSTGRES_XL_LOSES_INSERTS.remark());
        }
        if (!isPersistent && isTransaction && mode == StatementMode.PREPARED) {
            return List.of(RemarkCode.POSTGRES_XL_PANICS.remark());
        }
        return List.of();
    }

    /**
     * Observed on Postgres-XL 10r1.1 (docs/clusters.md): with snapshots of their own, coordinators do not know of each other's
     * transactions, and both versions of an updated row can stay visible.
     */
    @Override
    public List<Remark> updateHazards(Connection load, int coordinators) throws SQLException {
        return coordinators > 1
                        && CatalogQueries.holds(
                                load, "select current_setting('global_snapshot_source') = 'coordinator'")
                ? List.of(RemarkCode.POSTGRES_XL_KEEPS_OLD_ROWS.remark())
                : List.of();
    }

    /**
     * Plans of Postgres-XL. That of a statement shipped as a whole names its nodes, or the expression that selects one at run time.
     * A plan of the coordinator names the nodes of each part. With a bind parameter, the work of a datanode is not shown.
     */
    static final class XlPlans implements Plans {
        private static final Pattern SHIPPED = Pattern.compile("^\\s*Node/s: (.+)$");
        private static final Pattern BY_EXPRESSION = Pattern.compile("^\\s*Node expr: (.+)$");
        private static final Pattern PLANNED = Pattern.compile("Remote Subquery Scan on \\w+ \\(([^)]+)\\)");

        @Override
        public Layout layout(Connection connection, TableName table) throws SQLException {
            List<String> nodes = CatalogQueries.texts(
                    connection,
                    "select node_name from pgxc_node, pgxc_class where pcrelid = " + Quoting.literal(table.quoted())
                            + "::regclass and pgxc_node.oid = any (nodeoids) order by 1");
            return nodes.isEmpty() ? Layout.LOCAL : new Layout("datanodes", nodes.size(), nodes);
        }

        @Override
        public Footprint read(List<String> plan) {
            Set<String> nodes = new LinkedHashSet<>();
            PlanText.all(plan, SHIPPED).forEach(list -> PlanText.names(list, nodes));
            PlanText.all(plan, PLANNED).forEach(list -> PlanText.names(list, nodes));
            boolean byExpression = !PlanText.all(plan, BY_EXPRESSION).isEmpty();
            int touched = byExpression ? Math.max(1, nodes.size()) : nodes.size();
            return new Footprint(
                    touched == 0 ? OptionalInt.empty() : OptionalInt.of(touched),
                    List.copyOf(nodes),
                    PlanText.scans(plan));
        }

        @Override
        public String onNodes(TableName table) {
            return "query ~ " + Quoting.literal(PlanText.regex(table.name()))
                    + " and query ~* '^ *(explain|select|insert|update|delete|with)' and query !~* '^ *insert.* select '";
        }

        /** A coordinator's own plan runs on a datanode without a query text: only its transaction is counted. */
        @Override
        public String uncounted() {
            return "query = 'BEGIN'";
        }

        @Override
        public boolean comesWithoutText(List<String> plan) {
            return !PlanText.all(plan, PLANNED).isEmpty();
        }
    }

    /**
     * Tables of Postgres-XL: distributed when they are created. DDL through two coordinators under load can deadlock without being
     * detected, so it waits for locks for a limited time. The size functions already cover all datanodes.
     *
     * @param plans lists the datanodes of a table
     */
    private record XlTables(Plans plans) implements Tables {
        private static final String LOCK_LIMIT = "set lock_timeout = '10s'";

        /** In the words of {@code DISTRIBUTE BY} and {@code TO NODE}. */
        private static final String DISTRIBUTION =
                "select case pclocatortype when 'H' then 'hash' when 'M' then 'modulo' when 'N' then 'roundrobin'"
                        + " when 'R' then 'replication' else '' end, coalesce(quote_ident(attname), ''),"
                        + " 'to node (' || (select string_agg(quote_ident(node_name), ', ' order by node_name)"
                        + " from pgxc_node n where n.oid = any (nodeoids)) || ')'"
                        + " from pgxc_class left join pg_attribute on attrelid = pcrelid and attnum = pcattnum"
                        + " and pclocatortype in ('H', 'M') where pcrelid = to_regclass(%s)";

        @Override
        public List<String> create(TableName table, KeyType key, boolean primaryKey) {
            return List.of(
                    LOCK_LIMIT, Tables.super.create(table, key, primaryKey).get(0) + " distribute by hash(_id)");
        }

        /** Its function adds up the nodes, and must be given the table by name. */
        @Override
        public String totalBytes(TableName table) {
            return "select pg_total_relation_size(" + table.literal() + ")";
        }

        @Override
        public TableStorage storage(Connection connection, TableName table) throws SQLException {
            return Tables.super
                    .storage(connection, table)
                    .with(CatalogQueries.distribution(connection, DISTRIBUTION.replace("%s", table.literal())));
        }

        @Override
        public List<String> createLike(TableName copy, TableName table, TableStorage storage) {
            Distribution distribution = storage.distribution();
            String by =
                    distribution.method() + (distribution.column().isEmpty() ? "" : " (" + distribution.column() + ")");
            List<String> statements = new ArrayList<>(List.of(
                    LOCK_LIMIT,
                    storage.createLike(copy, table) + " distribute by " + (by.isEmpty() ? "hash (_id)" : by)
                            + (distribution.places().isEmpty() ? "" : " " + distribution.places())));
            statements.addAll(storage.createParts(copy));
            return statements;
        }

        @Override
        public List<String> createDistributed(String create, TableName table, String column, int shards) {
            return List.of(LOCK_LIMIT, create + " distribute by hash(" + column + ")");
        }

        /** No function returns the node; a hash selects it by its position in the table's list of nodes. */
        @Override
        public long[] partsOfKeys(Connection connection, TableName table, String column, int count)
                throws SQLException {
            String nodes = plans.layout(connection, table).nodes().stream()
                    .map(Quoting::identifier)
                    .collect(Collectors.joining(", "));
            return KeyPlaces.byRows(
                    connection,
                    "create temporary table " + KeyPlaces.PROBE + " distribute by hash(" + column + ") to node ("
                            + nodes + ") as select " + column + " from " + table.quoted() + " limit 0",
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
}
