package io.pgstress.target;

import io.pgstress.plan.Endpoint;
import io.pgstress.plan.RunOptions;
import io.pgstress.plan.RunSpec;
import io.pgstress.plan.StatementMode;
import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.target.dialect.CatalogNode;
import io.pgstress.target.dialect.Dialect;
import io.pgstress.target.dialect.Dialects;
import io.pgstress.target.driver.Connector;
import io.pgstress.target.driver.ServerErrors;
import io.pgstress.target.driver.TargetException;
import io.pgstress.target.pooler.SessionProbe;
import io.pgstress.target.pooler.StartupSettings;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTimeoutException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The servers of a run. Immutable; the connectors open connections on request.
 *
 * @param nodes at least one, with at least one client each; tables are created and reset through the first
 * @param idle masked URLs of servers without clients, if there are fewer clients than servers
 */
public record Target(List<Node> nodes, Dialect dialect, List<String> idle) {

    /**
     * Connects to every endpoint.
     *
     * @throws TargetException if one cannot be reached, or a node of their cluster does not answer
     */
    public static Target open(RunSpec spec) {
        List<Endpoint> endpoints = new ArrayList<>(spec.endpoints());
        List<Node> nodes = new ArrayList<>();
        List<String> idle = new ArrayList<>();
        Dialect dialect = dialect(spec, endpoints);
        for (int i = 0; i < endpoints.size(); i++) {
            Endpoint endpoint = endpoints.get(i);
            int clients = clientsOf(endpoint, i, endpoints.size(), spec.load().clients());
            if (clients == 0) {
                idle.add(endpoint.masked());
                continue;
            }
            try {
                nodes.add(node(endpoint, clients, dialect, spec));
            } catch (SQLException e) {
                throw unreachable(endpoint, e);
            }
        }
        Target target = new Target(List.copyOf(nodes), dialect, List.copyOf(idle));
        Answering.check(target);
        return target;
    }

    private static Node node(Endpoint endpoint, int clients, Dialect dialect, RunSpec spec) throws SQLException {
        Connector connector = dialect.sessions().connector(connector(endpoint, spec));
        ServerFacts facts;
        try (Connection connection = connector.openLookup()) {
            facts = ServerFacts.read(connection);
        }
        boolean isNamed = spec.statement() == StatementMode.PREPARED;
        boolean isShared = new SessionProbe(connector, endpoint.masked(), isNamed).isShared();
        Connector fitting = StartupSettings.fitting(connector, endpoint.masked(), isShared);
        checkSearchPath(fitting, dialect, spec);
        return new Node(endpoint.masked(), clients, fitting, facts, isShared);
    }

    private static void checkSearchPath(Connector connector, Dialect dialect, RunSpec spec) throws SQLException {
        if (connector.saysSearchPath() && spec.statement() == StatementMode.PREPARED) {
            try (Connection load = connector.open()) {
                String objection = dialect.sessions().losesSearchPath(load);
                if (!objection.isEmpty()) {
                    throw new InvalidPlanException("statement: " + objection);
                }
            }
        }
    }

    private static Connector connector(Endpoint endpoint, RunSpec spec) {
        return new Connector(
                endpoint,
                spec.get(RunOptions.USER).orElse(""),
                spec.statement(),
                spec.get(RunOptions.QUERY_MODE).orElse(""),
                startupOptions(spec),
                spec.load().clients());
    }

    /** The dialect of the first server. Also adds the endpoints of other coordinators, if requested. */
    private static Dialect dialect(RunSpec spec, List<Endpoint> endpoints) {
        if (endpoints.isEmpty()) {
            throw new TargetException("no server is named: --url");
        }
        Connector first = connector(endpoints.get(0), spec);
        try (Connection connection = first.openLookup()) {
            Dialect dialect = Dialects.of(spec.get(RunOptions.TARGET), connection);
            addCoordinators(spec, dialect, connection, endpoints);
            return dialect;
        } catch (SQLException e) {
            throw unreachable(endpoints.get(0), e);
        }
    }

    /** Adds every other node of the cluster that accepts statements, if that was requested. */
    private static void addCoordinators(RunSpec spec, Dialect dialect, Connection connection, List<Endpoint> endpoints)
            throws SQLException {
        if (!spec.allCoordinators()) {
            return;
        }
        Endpoint first = endpoints.get(0);
        List<Endpoint> found = dialect.topology().nodes(connection).stream()
                .filter(CatalogNode::coordinates)
                .map(n -> n.isAsked() ? new Endpoint(first.url(), 0) : first.at(n.host(), n.port()))
                .toList();
        if (found.isEmpty()) {
            throw new TargetException(
                    "--coordinators all: " + first.masked() + " lists no other nodes (it is " + dialect.name() + ")");
        }
        endpoints.clear();
        endpoints.addAll(found);
    }

    /** The exception for a server that cannot be reached, or that returned an error to the queries about it. */
    public static TargetException unreachable(Endpoint endpoint, SQLException e) {
        if (ServerErrors.sessionIsAlive(e)) {
            return new TargetException(
                    endpoint.masked() + " answered with an error: " + ServerErrors.sampleOf(e) + " (SQLSTATE "
                            + ServerErrors.stateOf(e) + ")",
                    e);
        }
        boolean isSilent =
                ServerErrors.isTimeout(e) && !ServerErrors.isUnreached(e) && !(e instanceof SQLTimeoutException);
        String message =
                isSilent ? "it does not answer" : String.valueOf(e.getMessage()).replaceAll("\\s+", " ");
        return new TargetException("cannot connect to " + endpoint.masked() + ": " + message, e);
    }

    /** The first server, for tables and resets. */
    public Node first() {
        return nodes.get(0);
    }

    /**
     * The endpoint's number of clients; if it has none, an even share, with one more for the first endpoints if there is a
     * remainder.
     */
    private static int clientsOf(Endpoint endpoint, int index, int endpoints, int clients) {
        if (endpoint.clients() > 0) {
            return endpoint.clients();
        }
        return clients / endpoints + (index < clients % endpoints ? 1 : 0);
    }

    private static Map<String, String> startupOptions(RunSpec spec) {
        Map<String, String> options = new LinkedHashMap<>();
        long timeout = spec.failures().statementTimeout().toMillis();
        if (timeout > 0) {
            options.put("statement_timeout", Long.toString(timeout));
        }
        options.putAll(spec.settings());
        return options;
    }
}
