package io.pgstress.runner;

import io.pgstress.measure.IntervalData;

/**
 * Observes a run: the client's process, the servers, the plans, or the tables after the load. The run's thread calls all methods but
 * {@link #hurry}, in the order in which they are listed here. Between {@link #start} and {@link #contribute} no method may wait for a
 * server: clients are measured meanwhile.
 */
public interface Probe extends AutoCloseable {
    /** The clients have not connected yet. */
    default void prepare() {}

    /** All clients are connected and wait for the load to start. */
    default void start() throws InterruptedException {}

    /** The load starts, or its measurement does: what was observed before is not part of the result. */
    default void measureStarts() {}

    /**
     * Called about every 200 ms during the measurement and the drain, but not while clients pause.
     *
     * @param now the clock's time in nanoseconds
     */
    default void sample(long now) {}

    /** An interval is over. */
    default void intervalEnds(IntervalData interval) {}

    /** The measurement is over; operations that are under way go on in the drain. */
    default void measureEnds() {}

    /** The drain is over and some clients have not ended: a server may not answer any more. */
    default void clientsHang() {}

    /** The load is over and its sessions are closed. Adds what was observed to the findings. */
    void contribute(Findings findings) throws InterruptedException;

    /** The user has aborted the run: waits for answers only a moment from now on. Any thread may call it. */
    default void hurry() {}

    @Override
    default void close() {}
}
