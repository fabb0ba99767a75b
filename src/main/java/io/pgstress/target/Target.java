package io.pgstress.target;

import io.pgstress.plan.Endpoint;
import io.pgstress.plan.RunSpec;
import io.pgstress.target.dialect.Dialect;
import io.pgstress.target.dialect.Dialects;
import io.pgstress.target.driver.Connector;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The servers of a run, reached and looked at. Immutable; the connectors open connections as they are asked.
 *
 * @param nodes at least one; the first is where tables are made and reset
 */
public record Target(List<Node> nodes, Dialect dialect) {

    /**
     * Reaches every endpoint.
     *
     * @throws TargetException where one cannot be reached, or has not as many free connections as it gets clients
     */
    public static Target open(RunSpec spec) {
        List<Endpoint> endpoints = spec.endpoints();
        List<Node> nodes = new ArrayList<>();
        Dialect dialect = null;
        for (int i = 0; i < endpoints.size(); i++) {
            Endpoint endpoint = endpoints.get(i);
            Connector connector =
                    new Connector(endpoint, userOf(spec), spec.statement(), spec.queryMode(), startupOptions(spec));
            try (Connection connection = connector.openControl()) {
                if (dialect == null) {
                    dialect = Dialects.of(spec.target(), connection);
                }
                int clients =
                        clientsOf(endpoint, i, endpoints.size(), spec.load().clients());
                nodes.add(new Node(endpoint.masked(), clients, connector, ServerFacts.read(connection)));
            } catch (SQLException e) {
                throw unreachable(endpoint, e);
            }
        }
        if (dialect == null) {
            throw new TargetException("no server is named: --url");
        }
        return new Target(List.copyOf(nodes), dialect);
    }

    /** The one line for a server that cannot be reached. */
    public static TargetException unreachable(Endpoint endpoint, SQLException e) {
        String message = String.valueOf(e.getMessage()).replaceAll("\\s+", " ");
        return new TargetException("cannot connect to " + endpoint.masked() + ": " + message, e);
    }

    /** The first endpoint, for tables and resets. */
    public Node first() {
        return nodes.get(0);
    }

    private static String userOf(RunSpec spec) {
        List<String> user = spec.options().getOrDefault("user", List.of());
        return user.isEmpty() ? "" : user.get(0);
    }

    /** An even share, the remainder going to the first ones, unless the endpoint says its number. */
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
