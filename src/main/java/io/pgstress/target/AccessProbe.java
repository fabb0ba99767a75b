package io.pgstress.target;

import io.pgstress.plan.Endpoint;
import io.pgstress.target.driver.Connector;
import io.pgstress.target.driver.ControlSql;
import io.pgstress.target.driver.DriverSession;
import io.pgstress.target.driver.PoolerErrors;
import io.pgstress.target.driver.ReachedServer;
import io.pgstress.target.driver.ServerErrors;
import io.pgstress.target.driver.SessionPurpose;
import io.pgstress.target.driver.TargetException;
import io.pgstress.text.Quoting;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Determines before the load what is between the client and its server, and which servers a few connections reach. A direct
 * session costs one connection and a dozen short queries; only otherwise are further connections opened.
 */
final class AccessProbe {
    /** Control connections opened one after the other; a proxy that takes its servers in turn shows them all. */
    private static final int CONNECTIONS = 4;

    private static final int ROUNDS = 3;

    /** Maximum number of server sessions searched for a leftover name. */
    private static final int MAX_CLEANING = 8;

    private static final String OWN = "statement like '%pgstress looks for poolers%'";

    private static final String QUESTION =
            "select pg_backend_pid(), (select max(name) from pg_prepared_statements where " + OWN + ")";

    private static final String DRIVERS_NAME = "S_[0-9]+";

    private final Connector connector;
    private final Connection lookup;
    private final String url;
    private final boolean isNamed;

    /**
     * @param connector of the load, which has not been given a server for its control connections
     * @param lookup a control connection to the same server, in autocommit mode
     * @param isNamed whether the load uses named statements
     */
    AccessProbe(Connector connector, Connection lookup, boolean isNamed) {
        this.connector = connector;
        this.lookup = lookup;
        this.url = connector.endpoint().masked();
        this.isNamed = isNamed;
    }

    /**
     * The way to the server.
     *
     * @param isCluster whether servers with data of their own may be nodes of one cluster
     * @throws TargetException if the load cannot run this way
     */
    ServerAccess find(boolean isCluster) throws SQLException {
        ReachedServer first = ReachedServer.of(lookup);
        ServerAccess.Between between = between(first);
        List<Endpoint> hosts = connector.endpoint().eachHost();
        boolean isOnly = between == ServerAccess.Between.NOTHING && hosts.size() == 1;
        ServerAccess access = new ServerAccess(between, isOnly ? List.of() : servers(first, hosts));
        if (!isCluster) {
            checkData(access);
        }
        return access;
    }

    /** A session is direct if the server's process and address are those that the client connected to. */
    private ServerAccess.Between between(ReachedServer reached) throws SQLException {
        boolean isOwnProcess = DriverSession.isDirect(lookup);
        boolean isOwnAddress = connector.endpoint().isUnixSocket()
                ? reached.address() == null
                : reached.isAt(DriverSession.host(lookup), DriverSession.port(lookup));
        try {
            if (isShared()) {
                return ServerAccess.Between.TRANSACTION_POOLER;
            }
        } catch (SQLException e) {
            if (PoolerErrors.isOfStatementPooling(e)) {
                throw new TargetException(
                        url + " is behind a pooler with statement pooling, which refuses transactions; use session or"
                                + " transaction pooling (pool_mode)",
                        e);
            }
            throw e;
        }
        if (!isOwnProcess) {
            return ServerAccess.Between.SESSION_POOLER;
        }
        return isOwnAddress ? ServerAccess.Between.NOTHING : ServerAccess.Between.PROXY;
    }

    private List<ServerAccess.Reached> servers(ReachedServer first, List<Endpoint> hosts) throws SQLException {
        Map<ReachedServer, ServerAccess.Reached> found = new LinkedHashMap<>();
        found.put(first, new ServerAccess.Reached(first, null));
        for (int i = 0; i < CONNECTIONS; i++) {
            try (Connection other = connector.open(SessionPurpose.LOOKUP)) {
                ReachedServer reached = ReachedServer.of(other);
                found.putIfAbsent(reached, new ServerAccess.Reached(reached, null));
            }
        }
        if (found.size() == 1 && !isBalanced()) {
            return List.copyOf(found.values());
        }
        Map<ReachedServer, Endpoint> ways = new LinkedHashMap<>();
        hosts.stream().filter(host -> hosts.size() > 1).forEach(host -> addWay(host, ways));
        found.keySet().stream()
                .filter(s -> s.address() != null && !ways.containsKey(s))
                .toList()
                .forEach(s -> addWay(connector.endpoint().at(String.valueOf(s.address()), s.port()), ways));
        List<ServerAccess.Reached> all = new ArrayList<>();
        ways.forEach((server, way) -> all.add(new ServerAccess.Reached(server, way)));
        found.values().stream().filter(r -> !ways.containsKey(r.server())).forEach(all::add);
        return all;
    }

    /** Whether the driver chooses a host for each connection at random. */
    private boolean isBalanced() {
        return connector.endpoint().url().contains("loadBalanceHosts=true");
    }

    /** Adds the server at this endpoint, if there is one. */
    private void addWay(Endpoint endpoint, Map<ReachedServer, Endpoint> ways) {
        ReachedServer server = serverAt(endpoint);
        if (server != null) {
            ways.putIfAbsent(server, endpoint);
        }
    }

    private @Nullable ReachedServer serverAt(Endpoint endpoint) {
        try (Connection there = connector.at(endpoint.host(), endpoint.port()).open(SessionPurpose.LOOKUP)) {
            return ReachedServer.of(there);
        } catch (SQLException e) {
            return null; // it cannot be reached this way, or is not what the URL asks for (targetServerType)
        }
    }

    /** @throws TargetException if the servers have different data, which no check could take into account */
    private void checkData(ServerAccess access) {
        List<ServerAccess.Reached> servers = access.servers();
        if (servers.stream().anyMatch(r -> !r.server().hasDataOf(servers.get(0).server()))) {
            throw new TargetException(url + " leads to servers with different data (" + access.names()
                    + " differ in their system identifiers): give each its own --url");
        }
    }

    /**
     * The connector as it is, or one that sets its settings by SQL if a pooler refuses startup options.
     *
     * @param sharesSessions whether sessions are shared per transaction, so that settings made by SQL would apply to other
     *     clients
     * @throws TargetException if startup options are refused and SQL cannot replace them
     */
    Connector fitting(boolean sharesSessions) {
        if (connector.settings().isEmpty()) {
            return connector;
        }
        try (Connection tried = connector.open(SessionPurpose.LOAD)) {
            return connector;
        } catch (SQLException e) {
            if (!PoolerErrors.refusesOptions(e)) {
                return connector; // SettingsCheck reports what else is wrong, by setting
            }
            if (sharesSessions) {
                throw new TargetException(
                        url + " cannot keep the settings of a session ("
                                + String.join(", ", connector.settings().keySet())
                                + "): a transaction pooler refuses startup options (" + ServerErrors.sampleOf(e)
                                + "), and SET would affect another client's session; use session pooling, or set them for the"
                                + " role (alter role ... set ...) or in the server's configuration",
                        e);
            }
            return connector.settingBySql();
        }
    }

    private record Answer(long process, @Nullable String name) {}

    /**
     * Whether sessions are shared among connections. Two connections query in turn which process serves them, one of them within
     * transactions. If the process changes, or is the same for both, a pooler shares sessions per transaction. The name that the server
     * has for a statement of the driver shows whether the pooler supports prepared statements: if so, it gives each text its own name; if
     * not, it passes on the driver's S_1, which means something different for every client.
     *
     * @throws TargetException if they are, and clients would run each other's named statements
     */
    private boolean isShared() throws SQLException {
        try (Connection load = connector.open(SessionPurpose.TRIAL);
                PreparedStatement question = load.prepareStatement(QUESTION)) {
            return ControlSql.rolledBack(lookup, () -> isShared(question));
        }
    }

    private boolean isShared(PreparedStatement question) throws SQLException {
        Answer first = ask(question);
        Answer last = first;
        boolean isShared = false;
        for (int i = 0; i < ROUNDS && !isShared; i++) {
            // it stays in its transaction meanwhile; once its process is known, no connection may wait for it
            isShared = process(lookup) == last.process;
            if (!isShared) {
                last = ask(question);
                isShared = last.process != first.process;
            }
            lookup.rollback();
            if (!isShared) {
                last = ask(question);
                isShared = last.process != first.process;
            }
        }
        if (isShared && isNamed && String.valueOf(last.name).matches(DRIVERS_NAME)) {
            forget();
            throw refusal("it does not rename the driver's statement " + last.name, null);
        }
        return isShared;
    }

    private Answer ask(PreparedStatement question) throws SQLException {
        try (ResultSet row = question.executeQuery()) {
            row.next();
            return new Answer(row.getInt(1), row.getString(2));
        } catch (SQLException e) {
            if (PoolerErrors.isOfForeignSession(e, true)) {
                throw refusal(ServerErrors.stateOf(e) + ": " + ServerErrors.sampleOf(e), e);
            }
            throw e;
        }
    }

    private TargetException refusal(String sign, @Nullable SQLException cause) {
        return new TargetException(
                url + " is behind a transaction pooler without support for prepared statements (" + sign
                        + "): clients would run each other's statements; " + PoolerErrors.ADVICE,
                cause);
    }

    private static long process(Connection connection) throws SQLException {
        return ControlSql.number(connection, "select pg_backend_pid()");
    }

    /**
     * Removes the statement names that the probe left in the pooler's sessions, which other clients would otherwise execute.
     */
    private void forget() throws SQLException {
        for (int i = 0; i < MAX_CLEANING; i++) {
            Optional<String> name =
                    ControlSql.text(lookup, "select min(name) from pg_prepared_statements where " + OWN);
            if (name.isPresent()) {
                ControlSql.execute(lookup, "deallocate " + Quoting.identifier(name.get()));
            }
            lookup.rollback();
        }
    }
}
