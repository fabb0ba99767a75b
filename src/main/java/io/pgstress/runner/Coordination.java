package io.pgstress.runner;

import io.pgstress.measure.NanoClock;
import io.pgstress.plan.HostShare;
import io.pgstress.target.loop.LoadThreads;
import java.util.List;
import java.util.OptionalLong;

/**
 * Decides when the parts of a run begin, and where its clients and probes are: {@link OneMachine} decides alone, an agent follows
 * the command that it works for, and that command decides for all of its agents.
 */
public interface Coordination extends RunTiming {
    /** Creates the probes of this process. Called once, when the tables are ready and before the clients connect. */
    List<Probe> probes(RunContext run, LoadThreads threads);

    /** Creates the clients of this process, or those that represent the clients of other hosts. Called once, after the probes. */
    default Clients clients(RunContext run, LoadThreads threads) {
        return new LocalClients(run, threads);
    }

    /** Creates the probes of a run; {@code threads} will run the clients. */
    @FunctionalInterface
    interface ProbeFactory {
        List<Probe> create(RunContext run, LoadThreads threads);
    }

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
