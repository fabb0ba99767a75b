package io.pgstress.session;

import io.pgstress.plan.PoolSpec;
import io.pgstress.target.Node;
import io.pgstress.target.Target;
import io.pgstress.target.driver.TargetException;

/** How many connections the servers have left for clients. */
public final class FreeConnections {
    /**
     * Connections per server that the command itself may hold at once: three that observe the server, one for resets and
     * checks, and one that the server has not ended yet though it was closed.
     */
    static final int RESERVED = 5;

    private FreeConnections() {}

    /** @throws TargetException with both numbers if a server has fewer free connections than the run opens there */
    static void check(Target target, PoolSpec pool) {
        for (Node node : target.nodes()) {
            int load = node.connections(pool);
            int free = node.facts().freeConnections();
            if (!node.sharesSessions() && load + RESERVED > free) {
                throw new TargetException(node.url() + " has " + free + " free connections ("
                        + node.facts().connectionLimit()
                        + "), but this run needs " + (load + RESERVED) + ": " + load + " for clients and " + RESERVED
                        + " for control. Use fewer --clients, a --pool with a smaller --pool-size, or a higher limit.");
            }
        }
    }

    /**
     * The most clients for which the servers have connections, at least 1. A pooler takes more connections than its server,
     * and a pool of a given size needs no more connections for more clients: those set no limit.
     */
    public static int maxClients(Target target, PoolSpec pool) {
        if (pool.hasSize()) {
            return Integer.MAX_VALUE;
        }
        int fewest = target.nodes().stream()
                .filter(node -> !node.sharesSessions())
                .mapToInt(node -> node.facts().freeConnections() - RESERVED)
                .min()
                .orElse(Integer.MAX_VALUE);
        long all = (long) fewest * target.nodes().size();
        return (int) Math.max(1, Math.min(all, Integer.MAX_VALUE));
    }
}
