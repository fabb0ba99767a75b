package io.pgstress.target.dialect;

import io.pgstress.plan.KeyType;
import io.pgstress.plan.StatementMode;
import io.pgstress.plan.TableName;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Postgres-XL: tables are distributed where they are made. DDL under load through two coordinators can deadlock for ever
 * without being found, so it waits for locks only so long. Sizes are already those of all datanodes.
 */
final class PostgresXl implements Dialect {
    private static final String NODES = """
            select node_name, case node_type when 'C' then 'coordinator' else 'datanode' end, node_host, node_port,
                   node_type = 'C', node_type = 'D', node_name = current_setting('pgxc_node_name')
            from pgxc_node order by node_type, node_name
            """;
    private static final String IMPATIENT = "set lock_timeout = '10s'";

    @Override
    public String name() {
        return "postgres-xl";
    }

    @Override
    public boolean recognises(Connection connection) throws SQLException {
        return Catalog.holds(connection, "select version() ~ 'Postgres-XL'");
    }

    @Override
    public List<String> createTable(TableName table, KeyType key) {
        return List.of(IMPATIENT, new PostgreSql().createTable(table, key).get(0) + " distribute by hash(_id)");
    }

    @Override
    public List<String> createLike(TableName copy, TableName table, KeyType key) {
        return List.of(IMPATIENT, new PostgreSql().createLike(copy, table, key).get(0) + " distribute by hash(_id)");
    }

    @Override
    public List<CatalogNode> nodes(Connection connection) throws SQLException {
        return Catalog.nodes(connection, NODES);
    }

    /** There is no function that tells; nodes have their order in the table's list of them, by which a hash finds its own. */
    @Override
    public long[] partsOfKeys(Connection connection, TableName table, String column, int most) throws SQLException {
        String nodes = plans().layout(connection, table).nodes().stream()
                .map(TableName::quote)
                .collect(Collectors.joining(", "));
        return KeyPlaces.byRows(
                connection,
                "create temporary table " + KeyPlaces.PROBE + " distribute by hash(" + column + ") to node (" + nodes
                        + ") as select " + column + " from " + table.quoted() + " limit 0",
                column,
                "xc_node_id",
                most);
    }

    @Override
    public List<NodeBytes> bytesByNode(Connection connection, TableName table) throws SQLException {
        String inner = Catalog.literal(table.quoted()).replace("'", "''");
        List<NodeBytes> all = new ArrayList<>();
        for (String node : plans().layout(connection, table).nodes()) {
            all.addAll(Catalog.bytes(
                    connection,
                    "execute direct on (" + TableName.quote(node) + ") 'select "
                            + Catalog.literal(node).replace("'", "''") + "::text, pg_table_size(" + inner
                            + "), pg_indexes_size(" + inner + ")'"));
        }
        return all;
    }

    /**
     * A datanode's connection that went back to the coordinator's pool has forgotten the path when it is lent again, and
     * statements that are prepared on it are not told once more; those that are parsed each time are.
     */
    @Override
    public String losesSearchPath(Connection load) throws SQLException {
        return Catalog.holds(
                        load,
                        "select current_setting('persistent_datanode_connections') = 'off'"
                                + " and current_schemas(false) <> '{public}'")
                ? "prepared statements of Postgres-XL find no tables by currentSchema or another search_path of the session; take"
                        + " --statement extended or plain, or give the path to the role (alter role ... set search_path)"
                : "";
    }

    /**
     * Both seen on Postgres-XL 10r1.1 (docs/clusters.md). With persistent connections a datanode's transaction of an insert that a
     * parameter routes stays open and is rolled back when the session ends. Without them a datanode panics at COMMIT.
     */
    @Override
    public List<String> hazards(Connection load, StatementMode mode, boolean isTransaction) throws SQLException {
        boolean isPersistent = Catalog.holds(load, "select current_setting('persistent_datanode_connections') = 'on'");
        if (isPersistent && !isTransaction && mode != StatementMode.PLAIN) {
            return List.of(
                    "Postgres-XL with persistent_datanode_connections = on acknowledges inserts by prepared and"
                            + " extended statements and loses them: take --statement plain or --transaction, or leave the setting off");
        }
        if (!isPersistent && isTransaction && mode == StatementMode.PREPARED) {
            return List.of("Postgres-XL's servers panic under prepared inserts in transactions and leave prepared"
                    + " transactions behind: take --statement plain or extended, or leave out --transaction");
        }
        return List.of();
    }

    /** Of all nodes. */
    @Override
    public List<PreparedTransaction> preparedTransactions(Connection connection) throws SQLException {
        List<PreparedTransaction> all = new ArrayList<>();
        for (CatalogNode node : nodes(connection)) {
            String sql = node.isAsked()
                    ? PreparedTransaction.QUERY
                    : "execute direct on (" + TableName.quote(node.name()) + ") "
                            + Catalog.literal(PreparedTransaction.QUERY);
            all.addAll(Catalog.prepared(connection, node.name(), sql));
        }
        return all;
    }

    @Override
    public String endOfPrepared() {
        return "execute direct on (node) 'rollback prepared ''...''' for each, once no session uses it and no other node has"
                + " committed it (docs/clusters.md)";
    }

    /** The servers' own have names of this form. */
    @Override
    public List<PreparedTransaction> leftBehind(Connection connection) throws SQLException {
        return preparedTransactions(connection).stream()
                .filter(t -> t.gid().startsWith("_$XC$"))
                .toList();
    }

    /** The GTM numbers transactions for all nodes alike. */
    @Override
    public boolean showsRowTransactions() {
        return true;
    }

    /** Without its GTM every node waits, for longer than it is away. */
    @Override
    public String silentTogether() {
        return "is the GTM up?";
    }

    @Override
    public Plans plans() {
        return new XlPlans();
    }

    @Override
    public List<String> createDistributed(String create, TableName table, String column, int shards) {
        return List.of(IMPATIENT, create + " distribute by hash(" + column + ")");
    }

    @Override
    public String totalBytes(TableName table) {
        return new PostgreSql().totalBytes(table);
    }
}
