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

    @Override
    default void close() {}
}
