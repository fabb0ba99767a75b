package io.pgstress.runner;

import io.pgstress.target.Node;
import io.pgstress.target.Target;
import io.pgstress.target.dialect.ClusterNode;
import io.pgstress.target.driver.Connector;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * A server whose own word is asked for: one that clients connect to, or another of its cluster.
 *
 * @param name what the cluster calls it; its masked URL where there is no cluster
 * @param local whether it is reached by the loopback interface
 */
record Peer(String name, String role, Connector connector, boolean holdsData, boolean local) {

    /**
     * All servers of the target's cluster, or the ones that clients connect to where that is all.
     *
     * @throws SQLException where the first server does not tell of its cluster
     */
    static List<Peer> of(Target target) throws SQLException {
        List<Peer> peers = new ArrayList<>();
        try (Connection connection = target.first().connector().openControl()) {
            for (ClusterNode node : target.dialect().nodes(connection)) {
                Connector connector = target.first().connector().at(node.host(), node.port());
                peers.add(new Peer(
                        node.name(),
                        node.role(),
                        connector,
                        node.holdsData(),
                        connector.endpoint().isLocal()));
            }
        }
        if (peers.isEmpty()) {
            for (Node node : target.nodes()) {
                peers.add(new Peer(
                        node.url(),
                        "server",
                        node.connector(),
                        false,
                        node.connector().endpoint().isLocal()));
            }
        }
        return peers;
    }
}
