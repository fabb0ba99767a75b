package io.pgstress.runner;

import io.pgstress.result.NodeResult;
import io.pgstress.result.ReachedSessions;
import io.pgstress.runner.ClientSession.PlanCounts;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The clients of a run: those of this process, or of other hosts. Called by the run's thread, in the order listed here, unless
 * stated otherwise.
 */
public interface Clients extends WarmupProgress, AutoCloseable {
    /** The number of clients. */
    int count();

    /**
     * Connects them; returns when all are connected.
     *
     * @throws io.pgstress.target.driver.TargetException if they cannot connect
     */
    void connect() throws InterruptedException;

    /** Gauges of the pools of this process, by the server's URL; any thread may ask for the values. */
    default Map<String, Supplier<Map<String, Number>>> gauges() {
        return Map.of();
    }

    /** The effective settings of the pools of this process. */
    default Map<String, String> poolSettings() {
        return Map.of();
    }

    /**
     * Collects the heap of their process, so that the first collection within the load has little to do. A heap so large that the process would
     * stand still for long is left as it is.
     */
    default void collectGarbage() {}

    /** Lets them start the load at this time of the clock. */
    void start(long origin) throws InterruptedException;

    boolean haveAllEnded();

    /** Number of operations in progress; any thread may ask once the clients are connected. */
    int inFlight();

    /** Number of scheduled starts of an open loop that were due at this time but not taken. */
    long backlog(long nanos);

    /**
     * Records operations that are still in progress as unfinished.
     *
     * @return the clients whose operation began before the measurement: their number, by what they wait for
     */
    Map<String, Integer> countUnfinished();

    /**
     * Cancels operations in progress, ends all sessions, and waits briefly for that.
     *
     * @param isAborted whether the user has aborted the run, so that the wait is kept short
     */
    void breakOff(boolean isAborted) throws InterruptedException;

    /**
     * How long the run waited for operations in progress, in seconds.
     *
     * @param waited seconds until all clients had ended or the limit was reached
     */
    default double drainSeconds(double waited) {
        return waited;
    }

    /** Calls of a statement, warm-up included. */
    long calls(int node, int operation, int statement);

    /** How evenly the clients of a node worked in the measurement; null if unknown. */
    NodeResult.@Nullable ClientOperations operations(int node);

    /** The servers that a node's sessions reached; null if they were not asked. */
    @Nullable
    List<ReachedSessions> reached(int node);

    /** Scheduled starts of the warm-up that never began. */
    long dropped();

    /** Whether all of them worked until the end: none was on a host that was lost. */
    boolean areComplete();

    /** Operations of the measurement of an open loop that began after its end, or never. */
    long begunLate();

    /** How the first client's session planned its statements; null if unknown. */
    default @Nullable PlanCounts planCounts() {
        return null;
    }

    @Override
    void close();
}
