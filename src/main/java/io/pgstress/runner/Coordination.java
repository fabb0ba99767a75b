package io.pgstress.runner;

import io.pgstress.measure.NanoClock;
import io.pgstress.plan.HostShare;
import io.pgstress.target.loop.LoadThreads;
import java.util.List;
import java.util.OptionalLong;

/**
 * Decides when the parts of a run begin, and where its clients and probes are: {@link OneMachine} decides alone, an agent follows
 * the command that it works for, and that command decides for all of its agents. All times are those of this process's clock, in
 * nanoseconds.
 */
public interface Coordination {
    /** The part of the run that this process performs. */
    HostShare share(int clients);

    /** Creates the probes of this process. Called once, when the tables are ready and before the clients connect. */
    List<Probe> probes(RunContext run, LoadThreads threads);

    /** Creates the clients of this process, or those that represent the clients of other hosts. Called once, after the probes. */
    default Clients clients(RunContext run, LoadThreads threads) {
        return new LocalClients(run, threads);
    }

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

    /** Creates the probes of a run; {@code threads} will run the clients. */
    @FunctionalInterface
    interface ProbeFactory {
        List<Probe> create(RunContext run, LoadThreads threads);
    }

    /** A period, in nanoseconds of the clock. */
    record Window(long start, long end) {}

    /**
     * A run on this machine, with all clients in this process; it waits for nobody. Thread-safe.
     *
     * @param probes creates the probes
     */
    record OneMachine(NanoClock clock, ProbeFactory probes) implements Coordination {

        @Override
        public HostShare share(int clients) {
            return HostShare.whole(clients);
        }

        @Override
        public List<Probe> probes(RunContext run, LoadThreads threads) {
            return probes.create(run, threads);
        }

        @Override
        public OptionalLong measureStarts(boolean isWarm, long earliest) {
            return isWarm ? OptionalLong.of(earliest) : OptionalLong.empty();
        }

        @Override
        public Window pause(long start, Runnable reset) {
            reset.run();
            return new Window(start, clock.nanoTime());
        }
    }
}
