package io.pgstress.cli;

import io.pgstress.measure.NanoClock;
import io.pgstress.probe.Probes;
import io.pgstress.runner.CommandSession.PreparedRun;
import io.pgstress.runner.Coordination;
import io.pgstress.runner.Coordination.OneMachine;

/** Where the clients of a command's runs are: in this process, or on other hosts. */
public interface LoadHosts extends AutoCloseable {
    /** All clients in this process. */
    LoadHosts LOCAL = run -> new OneMachine(NanoClock.SYSTEM, Probes::of);

    /** Who decides in the next run. */
    Coordination of(PreparedRun run) throws InterruptedException;

    /** The number of hosts that generate the load. */
    default int hosts() {
        return 1;
    }

    /** Sets the number of hosts of the next runs, at most {@link #hosts}. */
    default void useHosts(int number) {
        if (number != 1) {
            throw new IllegalArgumentException("there is only this host, not " + number);
        }
    }

    @Override
    default void close() {}
}
