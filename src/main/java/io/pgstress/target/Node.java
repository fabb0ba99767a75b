package io.pgstress.target;

import io.pgstress.plan.PoolSpec;
import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import io.pgstress.target.driver.Connector;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A server that clients connect to.
 *
 * @param url its masked URL, its name in results
 * @param clients the number of clients that connect to it
 * @param access what is between the clients and the server
 */
public record Node(String url, int clients, Connector connector, ServerFacts facts, ServerAccess access) {
    /** A server on which each connection has its own session. */
    public Node(String url, int clients, Connector connector, ServerFacts facts) {
        this(url, clients, connector, facts, ServerAccess.DIRECT);
    }

    /** Whether a transaction pooler shares the server's sessions among connections. */
    public boolean sharesSessions() {
        return access.sharesSessions();
    }

    /** The number of connections that its clients open with this pool. */
    public int connections(PoolSpec pool) {
        return pool.hasSize() ? pool.size() : clients;
    }

    /** Each server of a run is equal only to itself: a comparison by values would load much when a command starts. */
    @Override
    public boolean equals(@Nullable Object other) {
        return this == other;
    }

    @Override
    public int hashCode() {
        return System.identityHashCode(this);
    }

    /** Notes about its sessions for readers of the result. */
    public List<Remark> cautions() {
        List<Remark> cautions = new ArrayList<>(access.cautions(url));
        if (connector.socketTimeoutSeconds() > 0) {
            cautions.add(RemarkCode.SOCKET_TIMEOUT
                    .with("url", url)
                    .with("seconds", connector.socketTimeoutSeconds())
                    .remark());
        }
        if (connector.setsBySql()) {
            cautions.add(RemarkCode.SETTINGS_BY_SQL
                    .with("url", url)
                    .with("settings", String.join(", ", connector.settings().keySet()))
                    .remark());
        }
        return cautions;
    }
}
