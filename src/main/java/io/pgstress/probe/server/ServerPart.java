package io.pgstress.probe.server;

import io.pgstress.runner.Findings;

/**
 * A part of what is observed of a server, during the whole run or during the measurement. The server's own thread calls {@link #begin} and
 * {@link #end}; the run's thread calls the other methods.
 */
public interface ServerPart extends AutoCloseable {
    /** Called at the start of the load, and for the measurement again at its start: earlier observations are not part of the result. */
    void begin();

    /** Called after the load, or at the end of the measurement. */
    void end() throws InterruptedException;

    /** Adds the observations to the findings. */
    void contribute(Findings findings);

    @Override
    default void close() {}
}
