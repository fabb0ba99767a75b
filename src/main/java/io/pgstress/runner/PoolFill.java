package io.pgstress.runner;

import io.pgstress.target.Node;
import io.pgstress.target.driver.TargetException;
import io.pgstress.target.pool.ConnectionPool;
import java.sql.SQLException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Fills the pool of a node on its own thread, so that the run can be stopped meanwhile: a pool waits 30 s for a server that
 * does not answer. Belongs to the run's thread.
 */
final class PoolFill {
    private static final long LOOK_MILLIS = 100;

    private final ConnectionPool pool;
    private final Node node;
    private final FutureTask<Boolean> filling;

    PoolFill(ConnectionPool pool, Node node) {
        this.pool = pool;
        this.node = node;
        this.filling = new FutureTask<>(() -> {
            pool.fill();
            return true;
        });
    }

    /**
     * Returns when the pool is full.
     *
     * @throws TargetException if it could not be filled, or the run was stopped meanwhile
     */
    void await(Stop stop) throws InterruptedException {
        inBackground(filling, "pool-filling");
        while (true) {
            try {
                filling.get(LOOK_MILLIS, TimeUnit.MILLISECONDS);
                return;
            } catch (TimeoutException e) {
                Stop.Reason reason = stop.reason();
                if (reason != null) {
                    filling.cancel(false); // c3p0 would log an interrupt
                    throw new TargetException(
                            reason.text() + " while the pool of " + node.url() + " had " + opened() + " connections");
                }
            } catch (ExecutionException e) {
                throw failure(e.getCause());
            }
        }
    }

    private RuntimeException failure(@Nullable Throwable cause) {
        if (cause instanceof SQLException) {
            return new TargetException(
                    "the pool got " + opened() + " connections and timed out opening the next one to " + node.url()
                            + ": " + cause.getMessage(),
                    cause);
        }
        return cause instanceof RuntimeException failure ? failure : new IllegalStateException(cause);
    }

    private Number opened() {
        return pool.gauges().getOrDefault("total", 0);
    }

    /** Runs a task on a daemon thread. */
    static void inBackground(Runnable task, String name) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
    }
}
