package io.pgstress.target.pooler;

import io.pgstress.plan.Endpoint;
import io.pgstress.target.driver.Connector;
import io.pgstress.target.driver.PoolerErrors;
import io.pgstress.target.driver.TargetException;
import io.pgstress.target.reached.ReachedServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Determines before the load what is between the client and its server, and which servers a few connections reach. A direct
 * session costs two queries; only otherwise are further connections opened.
 */
public final class AccessProbe {
    /** Control connections opened one after the other; a proxy that takes its servers in turn shows them all. */
    private static final int CONNECTIONS = 4;

    private final Connector connector;
    private final String url;

    /** @param connector of the load, which has not been given a server for its control connections */
    public AccessProbe(Connector connector) {
        this.connector = connector;
        this.url = connector.endpoint().masked();
    }

    /**
     * The way to the server.
     *
     * @param lookup a control connection in autocommit mode
     * @param isNamed whether the load uses named statements
     * @param isCluster whether servers with data of their own may be nodes of one cluster
     * @throws TargetException if the load cannot run this way
     */
    public Access find(Connection lookup, boolean isNamed, boolean isCluster) throws SQLException {
        ReachedServer first = ReachedServer.of(lookup);
        Pooler found = new PoolerProbe(connector).find(lookup, first);
        boolean isShared = isShared(found, lookup, isNamed);
        Pooler pooler = found != null && found.isTransparent() && isShared ? Pooler.sharing() : found;
        List<Endpoint> hosts = connector.endpoint().eachHost();
        List<Access.Reached> servers = pooler == null && hosts.size() == 1 ? List.of() : servers(first, hosts);
        Access access = new Access(pooler, isShared, servers);
        if (!isCluster && (pooler == null || !pooler.replicates())) {
            checkData(access);
        }
        return access;
    }

    private boolean isShared(@Nullable Pooler pooler, Connection lookup, boolean isNamed) throws SQLException {
        if (pooler != null && pooler.lendsPerStatement()) {
            throw statementPooling(pooler, null);
        }
        try {
            return new SessionProbe(connector, lookup, url, isNamed).isShared();
        } catch (SQLException e) {
            if (PoolerErrors.isOfStatementPooling(e)) {
                throw statementPooling(pooler, e);
            }
            throw e;
        }
    }

    private TargetException statementPooling(@Nullable Pooler pooler, @Nullable SQLException cause) {
        return new TargetException(
                url + " is behind " + (pooler == null ? "a pooler" : pooler.label())
                        + " with statement pooling, which refuses transactions; use session or transaction pooling"
                        + " (pool_mode)",
                cause);
    }

    private List<Access.Reached> servers(ReachedServer first, List<Endpoint> hosts) throws SQLException {
        Map<ReachedServer, Access.Reached> found = new LinkedHashMap<>();
        found.put(first, new Access.Reached(first, null));
        for (int i = 0; i < CONNECTIONS; i++) {
            try (Connection other = connector.openLookup()) {
                ReachedServer reached = ReachedServer.of(other);
                found.putIfAbsent(reached, new Access.Reached(reached, null));
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
        List<Access.Reached> all = new ArrayList<>();
        ways.forEach((server, way) -> all.add(new Access.Reached(server, way)));
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
        try (Connection there = connector.at(endpoint.host(), endpoint.port()).openLookup()) {
            return ReachedServer.of(there);
        } catch (SQLException e) {
            return null; // it cannot be reached this way, or is not what the URL asks for (targetServerType)
        }
    }

    /** @throws TargetException if the servers have different data, which no check could take into account */
    private void checkData(Access access) {
        List<Access.Reached> servers = access.servers();
        if (servers.stream().anyMatch(r -> !r.server().hasDataOf(servers.get(0).server()))) {
            throw new TargetException(url + " leads to servers with different data (" + access.names()
                    + " differ in their system identifiers): give each its own --url");
        }
    }
}
