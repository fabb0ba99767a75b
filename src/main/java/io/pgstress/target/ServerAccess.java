package io.pgstress.target;

import io.pgstress.plan.Endpoint;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.target.driver.ReachedServer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The way from the clients to the server, as found before the load by how sessions behave.
 *
 * @param servers those that a few connections reached, a primary first; empty: the only one is the URL's
 */
public record ServerAccess(Between between, List<Reached> servers) {
    /** Nothing is between the client and the only server. */
    public static final ServerAccess DIRECT = new ServerAccess(Between.NOTHING, List.of());

    /** What is between the client and the server. */
    public enum Between {
        NOTHING,
        /** A TCP proxy or a port mapping: it passes bytes on, so a session is the server's own. */
        PROXY,
        /** A pooler that gives each connection a server session of its own. */
        SESSION_POOLER,
        /** A pooler that shares the server's sessions among connections. */
        TRANSACTION_POOLER
    }

    /**
     * A server and the way to it alone.
     *
     * @param endpoint its own; null if it cannot be reached by its address
     */
    public record Reached(ReachedServer server, @Nullable Endpoint endpoint) {}

    public ServerAccess {
        servers = servers.stream()
                .sorted(Comparator.comparing(r -> r.server().isStandby()))
                .toList();
    }

    /** Whether a transaction pooler shares the server's sessions among connections. */
    public boolean sharesSessions() {
        return between == Between.TRANSACTION_POOLER;
    }

    /** Whether a session may be on a server other than the URL's, so that it has to be asked. */
    public boolean isIndirect() {
        return between != Between.NOTHING || !servers.isEmpty();
    }

    /** Whether sessions reach several servers. */
    public boolean hasSeveralServers() {
        return servers.size() > 1;
    }

    /** Whether all its servers can be reached one by one. */
    public boolean isEachReachable() {
        return servers.stream().allMatch(r -> r.endpoint() != null);
    }

    /** Notes for readers of the result, about this URL. */
    List<Remark> cautions(String url) {
        List<Remark> cautions = new ArrayList<>();
        if (sharesSessions()) {
            cautions.add(RemarkCode.SHARED_SESSIONS.with("url", url).remark());
        }
        if (hasSeveralServers() && !isEachReachable()) {
            cautions.add(RemarkCode.SEVERAL_SERVERS
                    .with("url", url)
                    .with("servers", names())
                    .remark());
        }
        return cautions;
    }

    String names() {
        return String.join(", ", servers.stream().map(r -> r.server().name()).toList());
    }
}
