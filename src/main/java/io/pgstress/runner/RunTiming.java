package io.pgstress.runner;

import io.pgstress.plan.HostShare;
import java.util.OptionalLong;

/**
 * When the parts of a run begin, which is the same for all of its hosts. All times are those of this process's clock, in
 * nanoseconds.
 */
public interface RunTiming {
    /** The part of the run that this process performs. */
    HostShare share(int clients);

    /** The number of this process's threads that stop for a pause. */
    default int pausing(int clients) {
        return clients;
    }

    /** Called when all clients have connected: waits for the others, and returns when the load starts. */
    default long loadStarts(long now) throws InterruptedException {
        return now;
    }

    /** How long in advance the start of the measurement must be set, if longer than a run's own notice. */
    default long noticeNanos() {
        return 0;
    }

    /** How long after the end of an interval the other hosts have reported what they recorded in it. */
    default long reportNanos() {
        return 0;
    }

    /**
     * Called throughout the warm-up.
     *
     * @param isWarm whether this process has reached what the warm-up is for
     * @param earliest the earliest time at which the measurement can start
     * @return the start of the measurement, if it is decided
     */
    OptionalLong measureStarts(boolean isWarm, long earliest);

    /**
     * Whether clients of this process may begin operations. Asked by each client before each operation, when it has its connection. One
     * that may not ends.
     */
    default boolean mayBegin() {
        return true;
    }

    /**
     * The end of a measurement that stops early.
     *
     * @param now the earliest time
     */
    default long measureEnds(long now) {
        return now;
    }

    /**
     * Makes used-up ids available again while no client of any host runs; called by a client's thread. An interruption ends it
     * with an exception.
     *
     * @param start when the last client of this process stopped
     * @param reset resets the tables
     * @return the time to exclude from the run, the same on all hosts
     */
    Window pause(long start, Runnable reset);

    /** A period, in nanoseconds of the clock. */
    record Window(long start, long end) {}
}
