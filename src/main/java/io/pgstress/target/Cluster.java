package io.pgstress.target;

import io.pgstress.target.dialect.Dialect;
import io.pgstress.target.dialect.Dialect.CatalogNode;
import io.pgstress.target.driver.Connector;
import io.pgstress.target.driver.ControlSql;
import io.pgstress.target.driver.ServerErrors;
import io.pgstress.target.driver.SessionPurpose;
import io.pgstress.target.driver.TargetException;
import io.pgstress.target.loop.Daemons;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * The nodes of a target's cluster, and whether each of them answers. Statements fail on a node that is down, but on one that hangs
 * they wait forever, and so do their clients. This must be known before the run. A node that this machine cannot reach, such as one
 * behind a firewall, is ignored: the other nodes may reach it.
 */
public final class Cluster {
    private static final int MAX_SECONDS = 10;
    private static final int MAX_SECONDS_IF_DOWN = 3;

    /** SQLSTATE {@code sqlserver_rejected_establishment_of_sqlconnection}: the driver's for a password that is missing, for example. */
    private static final String REJECTED = "08004";

    private Cluster() {}

    /**
     * Checks all nodes of the target's cluster at once.
     *
     * @throws TargetException if one accepts the connection and does not answer
     */
    public static void check(Target target) {
        check(target.first().connector(), target.dialect());
    }

    /** Checks all nodes of the cluster that this node belongs to. */
    public static void check(Connector first, Dialect dialect) {
        try {
            check(ClusterNode.ofCluster(first, dialect), MAX_SECONDS);
        } catch (SQLException e) {
            throw Target.unreachable(first.endpoint(), e);
        }
    }

    /** Text to append to the message of a failed statement: the nodes of the cluster that are down; empty if none is. */
    public static String namesOfDown(Target target) {
        StringJoiner down = new StringJoiner(", ", "; down: ", "");
        down.setEmptyValue("");
        try {
            for (ClusterNode node : ClusterNode.ofCluster(target.first().connector(), target.dialect())) {
                if (isDown(node)) {
                    down.add(node.name() + " (" + node.role() + ")");
                }
            }
        } catch (SQLException e) {
            return "; the state of the cluster's nodes is unknown: " + ServerErrors.sampleOf(e);
        }
        return down.toString();
    }

    /** Whether its machine refuses connections, or the server reports that it is starting, stopping or recovering. */
    static boolean isDown(ClusterNode node) {
        try (Connection connection =
                node.connector().open(SessionPurpose.CONTROL.within(MAX_SECONDS_IF_DOWN, MAX_SECONDS_IF_DOWN))) {
            return connection.isClosed();
        } catch (SQLException e) {
            return isOfServerThatIsDown(e);
        }
    }

    /** A server that rejects the role or its password is up. */
    static boolean isOfServerThatIsDown(SQLException e) {
        return !ServerErrors.isTimeout(e)
                && ServerErrors.isConnectionLost(e)
                && !REJECTED.equals(ServerErrors.stateOf(e));
    }

    /** @param seconds the time limit of an answer */
    static void check(List<ClusterNode> nodes, int seconds) {
        ExecutorService threads = Executors.newCachedThreadPool(Daemons.named("answering"));
        try {
            List<Callable<Boolean>> questions = nodes.stream()
                    .map(node -> (Callable<Boolean>) () -> answers(node, seconds))
                    .toList();
            // this limit applies to connecting and to the answer; one second more for the rest
            List<Future<Boolean>> answers = threads.invokeAll(questions, 2L * seconds + 1, TimeUnit.SECONDS);
            StringJoiner silent = new StringJoiner(", ");
            for (int i = 0; i < answers.size(); i++) {
                if (!hasAnswered(answers.get(i))) {
                    silent.add(nodes.get(i).name() + " (" + nodes.get(i).role() + ")");
                }
            }
            if (silent.length() > 0) {
                throw new TargetException(silent + ": no answer within " + seconds
                        + " s, although it accepts connections; statements sent there would hang, too");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TargetException("interrupted before the nodes of the cluster had answered", e);
        } finally {
            threads.shutdownNow();
        }
    }

    private static boolean hasAnswered(Future<Boolean> answer) throws InterruptedException {
        try {
            return answer.get();
        } catch (CancellationException e) {
            return false;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    private static boolean answers(ClusterNode node, int seconds) {
        try (Connection connection = node.connector().open(SessionPurpose.CONTROL.within(seconds, seconds))) {
            ControlSql.execute(connection, "select 1");
            return true;
        } catch (SQLException e) {
            return !ServerErrors.isTimeout(e) || ServerErrors.isUnreached(e);
        }
    }

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
            if (!dialect.isCluster()) {
                return found;
            }
            try (Connection connection = asked.open(SessionPurpose.LOOKUP)) {
                Map<String, String> options = dialect.nodeOptions(connection);
                for (CatalogNode node : dialect.nodes(connection)) {
                    Connector connector = node.isAsked() ? asked : asked.at(node.host(), node.port(), options);
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
}
