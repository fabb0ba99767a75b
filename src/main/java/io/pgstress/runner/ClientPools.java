package io.pgstress.runner;

import io.pgstress.plan.PoolSpec;
import io.pgstress.result.ReachedSessions;
import io.pgstress.target.Node;
import io.pgstress.target.driver.ReachedServer;
import io.pgstress.target.driver.ReachedServer.SessionCounts;
import io.pgstress.target.driver.TargetException;
import io.pgstress.target.loop.Daemons;
import io.pgstress.target.pool.ConnectionPool;
import io.pgstress.target.pool.Pools;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The pools from which the clients of this process take their connections, one per node. Belongs to the run's thread. */
public final class ClientPools implements AutoCloseable {
    private static final long LOOK_MILLIS = 100;

    private final List<Node> nodes;
    private final List<ConnectionPool> pools = new ArrayList<>();
    private final List<SessionCounts> reached = new ArrayList<>();
    private boolean isFilling;
    private boolean isClosed;

    /**
     * Opens them.
     *
     * @param sinceStart nanoseconds since the start of the load, pauses excluded; below 0 before it
     * @throws TargetException if one of them does not open; the others are closed
     */
    public ClientPools(PoolSpec spec, List<Node> nodes, LongSupplier sinceStart) {
        this.nodes = nodes;
        for (Node node : nodes) {
            try {
                SessionCounts counts = new SessionCounts(sinceStart);
                reached.add(counts);
                boolean isAsked = node.access().isIndirect();
                pools.add(Pools.open(spec, node.clients(), node.connector().countingSessions(isAsked ? counts : null)));
            } catch (SQLException e) {
                close();
                throw new TargetException("the pool of " + node.url() + " did not open: " + e.getMessage(), e);
            }
        }
    }

    /** The pool of the node with this number. */
    public ConnectionPool of(int node) {
        return pools.get(node);
    }

    /**
     * Returns when all are full.
     *
     * @throws TargetException if one could not be filled, or the run was stopped meanwhile
     */
    public void fill(Stop stop) throws InterruptedException {
        isFilling = true;
        for (int n = 0; n < pools.size(); n++) {
            fill(pools.get(n), nodes.get(n), stop);
        }
        isFilling = false;
    }

    /**
     * The servers that the sessions of the node with this number reached; null if they were not asked.
     *
     * @param measureStart when the measurement started, in nanoseconds since the start of the load, pauses excluded
     */
    public @Nullable List<ReachedSessions> reached(int node, long measureStart) {
        List<ReachedSessions> all = new ArrayList<>();
        SessionCounts counts = reached.get(node);
        counts.sessions()
                .forEach((server, sessions) -> all.add(new ReachedSessions(
                        server.name(),
                        server.startedAt(),
                        server.systemIdentifier(),
                        server.isStandby(),
                        sessions.sessions(),
                        sessions.firstAt() < 0 ? null : Double.valueOf((sessions.firstAt() - measureStart) / 1e9),
                        counts.predecessor(server).map(ReachedServer::name).orElse(null))));
        return all.isEmpty() ? null : all;
    }

    /** The current figures of each pool, by the node's URL. */
    public Map<String, Supplier<Map<String, Number>>> gauges() {
        Map<String, Supplier<Map<String, Number>>> gauges = new LinkedHashMap<>();
        for (int n = 0; n < nodes.size(); n++) {
            gauges.put(nodes.get(n).url(), pools.get(n)::gauges);
        }
        return gauges;
    }

    /** The settings of the pools, which are the same for all. */
    public Map<String, String> settings() {
        return pools.get(0).settings();
    }

    /** Closes their connections, in the background if a pool is still being filled, because it would wait until it is full. */
    @Override
    public void close() {
        if (isClosed) {
            return;
        }
        isClosed = true;
        if (isFilling) {
            Daemons.start("pool-closing", () -> pools.forEach(ConnectionPool::close));
        } else {
            pools.forEach(ConnectionPool::close);
        }
    }

    /**
     * Fills the pool of a node on its own thread, so that the run can be stopped meanwhile: a pool waits 30 s for a server that
     * does not answer.
     */
    private static void fill(ConnectionPool pool, Node node, Stop stop) throws InterruptedException {
        FutureTask<Boolean> filling = new FutureTask<>(() -> {
            pool.fill();
            return true;
        });
        Daemons.start("pool-filling", filling);
        while (true) {
            try {
                filling.get(LOOK_MILLIS, TimeUnit.MILLISECONDS);
                return;
            } catch (TimeoutException e) {
                Stop.Reason reason = stop.reason();
                if (reason != null) {
                    filling.cancel(false); // c3p0 would log an interrupt
                    throw reason.before("while the pool of " + node.url() + " had " + opened(pool) + " connections");
                }
            } catch (ExecutionException e) {
                Throwable cause = e.getCause();
                if (cause instanceof SQLException) {
                    throw new TargetException(
                            "the pool got " + opened(pool) + " connections and timed out opening the next one to "
                                    + node.url() + ": " + cause.getMessage(),
                            cause);
                }
                throw cause instanceof RuntimeException failure ? failure : new IllegalStateException(cause);
            }
        }
    }

    private static Number opened(ConnectionPool pool) {
        return pool.gauges().getOrDefault("total", 0);
    }
}
