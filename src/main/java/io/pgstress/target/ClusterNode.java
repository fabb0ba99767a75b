package io.pgstress.target;

import io.pgstress.target.dialect.CatalogNode;
import io.pgstress.target.dialect.Dialect;
import io.pgstress.target.dialect.Topology;
import io.pgstress.target.driver.Connector;
import io.pgstress.target.driver.SessionPurpose;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * A node of the target's cluster, whether clients connect to it or not.
 *
 * @param name its name in the cluster; its masked URL if there is no cluster
 * @param connector for control connections
 * @param local whether it is reached through the loopback interface
 */
public record ClusterNode(String name, String role, Connector connector, boolean holdsData, boolean local) {

    /**
     * All nodes of the target's cluster, or the servers that clients connect to if there is no cluster.
     *
     * @throws SQLException if the first node does not list its cluster
     */
    public static List<ClusterNode> of(Target target) throws SQLException {
        List<ClusterNode> found = new ArrayList<>(ofCluster(target.first().connector(), target.dialect()));
        if (found.isEmpty()) {
            for (Node node : target.nodes()) {
                found.add(new ClusterNode(
                        node.url(),
                        "server",
                        node.connector(),
                        false,
                        node.connector().endpoint().isLocal()));
            }
        }
        return found;
    }

    /** All nodes of this node's cluster; empty if there is no cluster. */
    static List<ClusterNode> ofCluster(Connector asked, Dialect dialect) throws SQLException {
        List<ClusterNode> found = new ArrayList<>();
        if (dialect.topology().equals(Topology.SINGLE)) {
            return found;
        }
        try (Connection connection = asked.open(SessionPurpose.LOOKUP)) {
            for (CatalogNode node : dialect.topology().nodes(connection)) {
                Connector connector = node.isAsked() ? asked : asked.at(node.host(), node.port());
                found.add(new ClusterNode(
                        node.name(),
                        node.role(),
                        connector,
                        node.holdsData(),
                        connector.endpoint().isLocal()));
            }
        }
        return found;
    }
}
