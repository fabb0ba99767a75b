package io.pgstress.runner;

import io.pgstress.measure.IntervalData;

/**
 * Observes a run: the client's process, the servers, the plans, or the tables after the load. The run's thread calls all methods
 * except {@link #hurry}, in the order listed here. Between {@link #start} and {@link #loadEnds} no method may wait for
 * a server, because the clients are being measured.
 */
public interface Probe extends AutoCloseable {
    /** Called before the clients connect, when the tables have been reset. */
    default void beforeConnect() {}

    /** Called when all clients are connected and wait for the load to start. */
    default void start() throws InterruptedException {}

    /** Called at the start of the load and of the measurement: earlier observations are not part of the result. */
    default void measureStarts() {}

    /**
     * Called about every 200 ms during the measurement and the drain, but not while clients are paused.
     *
     * @param now the clock's time in nanoseconds
     */
    default void sample(long now) {}

    /** Called at the end of an interval. */
    default void intervalEnds(IntervalData interval) {}

    /** Called at the end of the measurement; operations in progress continue in the drain. */
    default void measureEnds() {}

    /**
     * Called if some clients have not ended by the end of the drain: a server may no longer answer, or they wait for a lock. It may wait for
     * a second; then their sessions are ended.
     */
    default void clientsHang() throws InterruptedException {}

    /** Called after the load, when its sessions are closed: what takes time can begin. */
    default void loadEnds() throws InterruptedException {}

    /** Called when the last interval has been reported. Adds the observations to the findings. */
    void contribute(Findings findings) throws InterruptedException;

    /** Called when the user aborts the run: from now on, wait for answers only briefly. Any thread may call it. */
    default void hurry() {}

    @Override
    default void close() {}
}
