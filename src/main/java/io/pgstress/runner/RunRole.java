package io.pgstress.runner;

import io.pgstress.measure.NanoClock;
import io.pgstress.target.loop.LoadThreads;
import java.util.List;
import java.util.function.Function;

/**
 * The part that this process has in a run.
 *
 * @param conductor decides when the parts of the run begin
 * @param probes creates the probes
 * @param clients creates the clients
 */
public record RunRole(Conductor conductor, Function<RunContext, List<Probe>> probes, ClientsFactory clients) {
    /** Creates the clients of a run. */
    @FunctionalInterface
    public interface ClientsFactory {
        Clients create(RunContext run, LoadThreads threads);
    }

    /** The whole run. */
    public static RunRole alone(Function<RunContext, List<Probe>> probes) {
        return new RunRole(new Alone(NanoClock.SYSTEM), probes, LocalClients::new);
    }

    /** A share of the run, with the clients of this process. */
    public static RunRole share(Conductor conductor, Function<RunContext, List<Probe>> probes) {
        return new RunRole(conductor, probes, LocalClients::new);
    }
}
