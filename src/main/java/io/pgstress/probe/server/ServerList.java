package io.pgstress.probe.server;

import io.pgstress.plan.Endpoint;
import io.pgstress.result.RemarkCode;
import io.pgstress.target.Cluster.ClusterNode;
import io.pgstress.target.Node;
import io.pgstress.target.ServerAccess;
import io.pgstress.target.Target;
import io.pgstress.target.driver.Connector;
import io.pgstress.target.driver.ServerErrors;
import io.pgstress.verdict.SilentServers.Silence;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The servers of a run: all servers of the cluster and those that clients connect to, without duplicates. */
public final class ServerList {
    /** The role of a server outside any cluster. */
    public static final String SINGLE = Silence.SINGLE;

    private ServerList() {}

    /**
     * A server to observe.
     *
     * @param node the node that clients connect to; null if they do not
     */
    public record ObservedServer(
            String name,
            String role,
            Connector connector,
            boolean holdsData,
            boolean local,
            @Nullable Node node) {
        /** The URL that clients use; null if they do not connect to it. */
        public @Nullable String url() {
            return node == null ? null : node.url();
        }
    }

    public static List<ObservedServer> of(Target target, Notes notes) {
        List<ObservedServer> all = new ArrayList<>();
        List<Node> left = new ArrayList<>(target.nodes());
        try {
            for (ClusterNode member : ClusterNode.of(target)) {
                Node node = nodeAt(member, left, target.nodes());
                left.remove(node);
                all.add(new ObservedServer(
                        member.name(), member.role(), member.connector(), member.holdsData(), member.local(), node));
            }
        } catch (SQLException e) {
            notes.add(RemarkCode.NODES_NOT_READABLE
                    .with("error", ServerErrors.sampleOf(e))
                    .remark());
        }
        for (Node node : left) {
            all.add(single(node, node.url(), node.connector()));
        }
        target.nodes().forEach(node -> addOthers(node, all));
        return all;
    }

    /** The node that a member is: one at its address that is left, or else one whose URL leads to it; null if there is none. */
    private static @Nullable Node nodeAt(ClusterNode member, List<Node> left, List<Node> all) {
        Endpoint endpoint = member.connector().endpoint();
        return left.stream()
                .filter(node -> node.connector().endpoint().isSameServer(endpoint))
                .findFirst()
                .or(() -> all.stream()
                        .filter(node -> ways(node).anyMatch(way -> way.isSameServer(endpoint)))
                        .findFirst())
                .orElse(null);
    }

    private static Stream<Endpoint> ways(Node node) {
        return node.access().servers().stream()
                .map(ServerAccess.Reached::endpoint)
                .filter(Objects::nonNull);
    }

    /** Adds the other servers that the node's URL leads to, unless they are members of the cluster. */
    private static void addOthers(Node node, List<ObservedServer> all) {
        if (node.access().hasSeveralServers() && node.access().isEachReachable()) {
            ways(node)
                    .skip(1) // the node's control connections go to the first
                    .filter(way ->
                            all.stream().noneMatch(o -> o.connector().endpoint().isSameServer(way)))
                    .forEach(way ->
                            all.add(single(node, way.masked(), node.connector().at(way.host(), way.port()))));
        }
    }

    private static ObservedServer single(Node node, String name, Connector connector) {
        return new ObservedServer(
                name, SINGLE, connector, false, connector.endpoint().isLocal(), node);
    }
}
