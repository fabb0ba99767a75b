package io.pgstress.target.dialect;

import io.pgstress.plan.sql.Quoting;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Postgres-XL: coordinators, which take statements, datanodes, which have the rows, and a GTM that numbers transactions. */
final class PostgresXl implements Dialect, Topology, Transactions {
    private static final String NODES = """
        select node_name, case node_type when 'C' then 'coordinator' else 'datanode' end, node_host, node_port,
               node_type = 'C', node_type = 'D', node_name = current_setting('pgxc_node_name')
        from pgxc_node order by node_type, node_name
        """;
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
        return new XlTables(plans());
    }

    @Override
    public Topology topology() {
        return this;
    }

    @Override
    public Plans plans() {
        return new XlPlans();
    }

    @Override
    public Transactions transactions() {
        return this;
    }

    @Override
    public Sessions sessions() {
        return new XlSessions();
    }

    @Override
    public List<CatalogNode> nodes(Connection connection) throws SQLException {
        return CatalogQueries.nodes(connection, NODES);
    }

    /** If the GTM is unavailable, every node waits, and for longer than the outage. */
    @Override
    public String silentTogether() {
        return "is the GTM up?";
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

    /** The GTM numbers transactions for all nodes alike. */
    @Override
    public boolean showsRowTransactions() {
        return true;
    }
}
