package io.pgstress.target.dialect;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/** The nodes of a cluster. The defaults are those of a server without a cluster. Stateless and thread-safe. */
public interface Topology {
    /** Whether servers of this kind are nodes of a cluster. */
    default boolean isCluster() {
        return false;
    }

    /** The cluster's nodes; empty if there is no cluster. */
    default List<CatalogNode> nodes(Connection connection) throws SQLException {
        return List.of();
    }

    /** Startup options without which the nodes that take no clients' statements refuse control connections. */
    default Map<String, String> nodeOptions(Connection connection) throws SQLException {
        return Map.of();
    }

    /** What to check if no node answers; empty if there is nothing in particular. */
    default String silentTogether() {
        return "";
    }

    /** Whether only the first node accepts definitions of tables and indexes. */
    default boolean definesThroughFirstOnly() {
        return false;
    }

    /**
     * A node of a cluster as listed in the coordinator's catalog, which does not say whether it answers.
     *
     * @param name its name in the cluster
     * @param role its role: coordinator, worker or datanode
     * @param host its address for the other nodes
     * @param coordinates whether it accepts clients' statements
     * @param holdsData whether it has rows of distributed tables
     * @param isAsked whether it is the queried node; clients may use another address for it than the nodes do
     */
    record CatalogNode(
            String name, String role, String host, int port, boolean coordinates, boolean holdsData, boolean isAsked) {}
}
