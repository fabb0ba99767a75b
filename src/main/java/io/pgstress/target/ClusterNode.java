package io.pgstress.target;

import io.pgstress.target.dialect.CatalogNode;
import io.pgstress.target.dialect.Dialect;
import io.pgstress.target.driver.Connector;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * A server of the target's cluster: one that clients connect to, or another.
 *
 * @param name what the cluster calls it; its masked URL where there is no cluster
 * @param connector for control, not for load
 * @param local whether it is reached by the loopback interface
 */
public record ClusterNode(String name, String role, Connector connector, boolean holdsData, boolean local) {

    /**
     * All servers of the target's cluster, or the ones that clients connect to where that is all.
     *
     * @throws SQLException where the first server does not tell of its cluster
     */
    public static List<ClusterNode> of(Target target) throws SQLException {
        List<ClusterNode> members = new ArrayList<>(ofCluster(target.first().connector(), target.dialect()));
        if (members.isEmpty()) {
            for (Node node : target.nodes()) {
                members.add(new ClusterNode(
                        node.url(),
                        "server",
                        node.connector(),
                        false,
                        node.connector().endpoint().isLocal()));
            }
        }
        return members;
    }

    /** All servers of the cluster that this one belongs to; empty where there is no cluster. */
    static List<ClusterNode> ofCluster(Connector asked, Dialect dialect) throws SQLException {
        List<ClusterNode> members = new ArrayList<>();
        try (Connection connection = asked.openLookup()) {
            for (CatalogNode node : dialect.topology().nodes(connection)) {
                Connector connector = node.isAsked() ? asked : asked.at(node.host(), node.port());
                members.add(new ClusterNode(
                        node.name(),
                        node.role(),
                        connector,
                        node.holdsData(),
                        connector.endpoint().isLocal()));
            }
        }
        return members;
    }
}
