package io.pgstress.target;

import io.pgstress.plan.Endpoint;
import io.pgstress.plan.RunOptions;
import io.pgstress.plan.RunSpec;
import io.pgstress.plan.StatementMode;
import io.pgstress.plan.option.InvalidPlanException;
import io.pgstress.plan.server.ServerOptions;
import io.pgstress.target.dialect.Dialect;
import io.pgstress.target.dialect.Dialect.CatalogNode;
import io.pgstress.target.dialect.Dialects;
import io.pgstress.target.driver.Connector;
import io.pgstress.target.driver.Connector.LoadSessions;
import io.pgstress.target.driver.Login;
import io.pgstress.target.driver.PasswordPrompt;
import io.pgstress.target.driver.ServerErrors;
import io.pgstress.target.driver.SessionPurpose;
import io.pgstress.target.driver.TargetException;
import java.net.UnknownHostException;
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
    /** SQLSTATE of a statement that a time limit or another session ended. */
    private static final String CANCELED = "57014";

    private static final String LIMIT_ADVICE =
            ". If that is a time limit of the role or the database, it is too short for what pgstress reads before a load:"
                    + " add options=-c%20statement_timeout=0 to the URL.";

    /**
     * Connects to every endpoint.
     *
     * @throws TargetException if one cannot be reached, or a node of their cluster does not answer
     */
    public static Target open(RunSpec spec) {
        return open(spec, PasswordPrompt.NONE);
    }

    /** {@link #open(RunSpec)}, but asks for passwords that are missing. */
    public static Target open(RunSpec spec, PasswordPrompt prompt) {
        if (spec.endpoints().isEmpty()) {
            throw new TargetException("no server is named: --url");
        }
        Endpoint named = spec.endpoints().get(0);
        try (Connection lookup = connector(named, spec, prompt).open(SessionPurpose.LOOKUP)) {
            Dialect dialect = dialect(spec.get(ServerOptions.TARGET), named, lookup);
            return open(spec, dialect, lookup, prompt);
        } catch (SQLException e) {
            throw unreachable(named, e);
        }
    }

    /**
     * The dialect of this name, or the one that recognises the server.
     *
     * @throws TargetException if the server does not answer a query that every supported one does
     */
    public static Dialect dialect(String name, Endpoint endpoint, Connection connection) {
        try {
            return Dialects.of(name, connection);
        } catch (SQLException e) {
            throw unknown(endpoint, Dialects.postgreSql(), e);
        }
    }

    /** @param lookup a connection to the first endpoint */
    private static Target open(RunSpec spec, Dialect dialect, Connection lookup, PasswordPrompt prompt)
            throws SQLException {
        List<Endpoint> endpoints = spec.allCoordinators() ? coordinators(spec, dialect, lookup) : spec.endpoints();
        List<Node> nodes = new ArrayList<>();
        List<String> idle = new ArrayList<>();
        for (int i = 0; i < endpoints.size(); i++) {
            Endpoint endpoint = endpoints.get(i);
            int clients = clientsOf(endpoint, i, endpoints.size(), spec.load().clients());
            if (clients == 0) {
                idle.add(endpoint.masked());
                continue;
            }
            boolean isOpen = endpoint.url().equals(spec.endpoints().get(0).url());
            nodes.add(
                    isOpen
                            ? node(endpoint, clients, dialect, spec, lookup, prompt)
                            : node(endpoint, clients, dialect, spec, prompt));
        }
        Target target = new Target(List.copyOf(nodes), dialect, List.copyOf(idle));
        Cluster.check(target);
        return target;
    }

    private static Node node(Endpoint endpoint, int clients, Dialect dialect, RunSpec spec, PasswordPrompt prompt) {
        try (Connection lookup = connector(endpoint, spec, prompt).open(SessionPurpose.LOOKUP)) {
            return node(endpoint, clients, dialect, spec, lookup, prompt);
        } catch (SQLException e) {
            throw unreachable(endpoint, e);
        }
    }

    private static Node node(
            Endpoint endpoint, int clients, Dialect dialect, RunSpec spec, Connection lookup, PasswordPrompt prompt) {
        try {
            Connector connector = dialect.connector(connector(endpoint, spec, prompt));
            ServerFacts facts = ServerFacts.read(lookup, dialect);
            boolean isNamed = spec.statement() == StatementMode.PREPARED;
            boolean isCluster = dialect.isCluster();
            AccessProbe probe = new AccessProbe(connector, lookup, isNamed);
            ServerAccess access = probe.find(isCluster);
            Connector fitting = probe.fitting(access.sharesSessions());
            checkSearchPath(fitting, dialect, spec);
            return new Node(endpoint.masked(), clients, controlled(fitting, access), facts, access);
        } catch (SQLException e) {
            throw unknown(endpoint, dialect, e);
        }
    }

    /** With control connections to one server, if the URL leads to several. */
    private static Connector controlled(Connector connector, ServerAccess access) {
        Endpoint first = access.hasSeveralServers() ? access.servers().get(0).endpoint() : null;
        return first == null ? connector : connector.controllingAt(first);
    }

    private static void checkSearchPath(Connector connector, Dialect dialect, RunSpec spec) throws SQLException {
        if (connector.setsSearchPath() && spec.statement() == StatementMode.PREPARED) {
            try (Connection load = connector.open(SessionPurpose.LOAD)) {
                String objection = dialect.losesSearchPath(load);
                if (!objection.isEmpty()) {
                    throw new InvalidPlanException("statement: " + objection);
                }
            }
        }
    }

    private static Connector connector(Endpoint endpoint, RunSpec spec, PasswordPrompt prompt) {
        return new Connector(
                endpoint,
                new Login(
                        spec.get(ServerOptions.USER).orElse(""),
                        spec.get(ServerOptions.PASSWORD_COMMAND).orElse(""),
                        prompt),
                new LoadSessions(
                        spec.statement(),
                        spec.get(RunOptions.QUERY_MODE).orElse(""),
                        startupOptions(spec),
                        spec.load().clients()));
    }

    /** Every node of the cluster that accepts statements. */
    private static List<Endpoint> coordinators(RunSpec spec, Dialect dialect, Connection lookup) throws SQLException {
        Endpoint first = spec.endpoints().get(0);
        List<Endpoint> found = dialect.nodes(lookup).stream()
                .filter(CatalogNode::coordinates)
                .map(n -> n.isAsked() ? new Endpoint(first.url(), 0) : first.at(n.host(), n.port()))
                .toList();
        if (found.isEmpty()) {
            throw new TargetException(
                    "--coordinators all: " + first.masked() + " lists no other nodes (it is " + dialect.name() + ")");
        }
        return found;
    }

    /** The exception for a server that cannot be reached, or that returned an error to the queries about it. */
    public static TargetException unreachable(Endpoint endpoint, SQLException e) {
        if (ServerErrors.sessionIsAlive(e)) {
            return new TargetException(
                    endpoint.masked() + " answered with an error: " + ServerErrors.sampleOf(e) + " (SQLSTATE "
                            + ServerErrors.stateOf(e) + ")"
                            + (ServerErrors.stateOf(e).equals(CANCELED) ? LIMIT_ADVICE : ""),
                    e);
        }
        boolean isSilent =
                ServerErrors.isTimeout(e) && !ServerErrors.isUnreached(e) && !(e instanceof SQLTimeoutException);
        String message = isSilent ? "it does not answer" : ServerErrors.messageOf(e) + advice(e);
        return new TargetException("cannot connect to " + endpoint.masked() + ": " + message, e);
    }

    /** The exception for a query about a server that it may not know because it only resembles PostgreSQL. */
    private static TargetException unknown(Endpoint endpoint, Dialect dialect, SQLException e) {
        TargetException failure = unreachable(endpoint, e);
        boolean isUnknown = dialect == Dialects.postgreSql()
                && String.valueOf(e.getSQLState()).matches("(?!42501)(42|0A).*"); // syntax, missing name, not supported
        return isUnknown ? new TargetException(failure.getMessage() + "; " + Dialects.SUPPORTED, e) : failure;
    }

    private static String advice(SQLException e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof UnknownHostException) {
                return " No host has this name. Check the name, or the DNS of this machine.";
            }
        }
        return switch (ServerErrors.stateOf(e)) {
            case "28P01" ->
                ". Check the user, and the password in the URL, PGPASSWORD, ~/.pgpass or --password-command.";
            case "28000" ->
                ServerErrors.isAnswer(e) // otherwise the advice about certificates is there already
                        ? ". Check the role (--user, PGUSER), and what pg_hba.conf of the server permits."
                        : "";
            case "3D000" -> ". Create it, or name another database.";
            default -> "";
        };
    }

    /** A copy whose sessions of the load have this name on the servers ({@code application_name}). */
    public Target naming(String sessions) {
        return new Target(
                nodes.stream()
                        .map(node -> new Node(
                                node.url(),
                                node.clients(),
                                node.connector().naming(sessions),
                                node.facts(),
                                node.access()))
                        .toList(),
                dialect,
                idle);
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
