package io.pgstress.probe.server;

import io.pgstress.target.ClusterNode;
import io.pgstress.target.Node;
import io.pgstress.target.Target;
import io.pgstress.target.driver.Connector;
import io.pgstress.target.driver.ServerErrors;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The servers of a run: all servers of the cluster and those that clients connect to, without duplicates. */
final class ServerList {
    /** The role of a server outside any cluster. */
    static final String SINGLE = "server";

    private ServerList() {}

    /**
     * A server to observe.
     *
     * @param node the node that clients connect to; null if they do not
     */
    record Observed(
            String name,
            String role,
            Connector connector,
            boolean holdsData,
            boolean local,
            @Nullable Node node) {
        /** The URL that clients use; null if they do not connect to it. */
        @Nullable
        String url() {
            return node == null ? null : node.url();
        }
    }

    static List<Observed> of(Target target, Notes notes) {
        List<Observed> all = new ArrayList<>();
        List<Node> left = new ArrayList<>(target.nodes());
        try {
            for (ClusterNode member : ClusterNode.of(target)) {
                Node node = left.stream()
                        .filter(n -> n.connector()
                                .endpoint()
                                .isSameServer(member.connector().endpoint()))
                        .findFirst()
                        .orElse(null);
                left.remove(node);
                all.add(new Observed(
                        member.name(), member.role(), member.connector(), member.holdsData(), member.local(), node));
            }
        } catch (SQLException e) {
            notes.add("the nodes of the cluster could not be read: " + ServerErrors.sampleOf(e));
        }
        for (Node node : left) {
            Connector connector = node.connector();
            all.add(new Observed(
                    node.url(), SINGLE, connector, false, connector.endpoint().isLocal(), node));
        }
        return all;
    }
}
