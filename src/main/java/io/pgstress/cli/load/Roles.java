package io.pgstress.cli.load;

import io.pgstress.probe.Probes;
import io.pgstress.runner.RunRole;
import io.pgstress.session.PreparedRun;

/** Where the clients of a command's runs are: in this process, or on other hosts. */
public interface Roles extends AutoCloseable {
    /** All clients in this process. */
    Roles ALONE = run -> RunRole.alone(Probes::of);

    /** The role of this process in the next run. */
    RunRole of(PreparedRun run) throws InterruptedException;

    @Override
    default void close() {}
}
