package io.pgstress.runner;

import io.pgstress.result.IntervalResult;
import java.util.Map;
import java.util.function.Supplier;

/** Receives the progress of a run. One thread at a time calls it; during the load, not the run's own thread. */
public interface RunListener {
    /** Ignores everything. */
    RunListener NONE = new RunListener() {};

    /** A phase begins: {@code connect}, {@code warmup}, {@code measure} or {@code drain}; its planned length. */
    default void phase(String name, double seconds) {}

    /** A warning before the load starts; the result has it too. */
    default void warning(String text) {}

    /** A node's pool is filled; {@code gauges} returns its connections by state, on any thread. */
    default void pool(String node, Supplier<Map<String, Number>> gauges) {}

    /** An interval is over. {@code result.atSeconds()} counts from the start of its phase. */
    default void interval(String phase, IntervalResult result) {}

    /**
     * An interval again when the next one is over: clients whose operation went on beyond its end have handed over their counts
     * since. {@code result} computes its figures, only during this call.
     */
    default void settled(String phase, Supplier<IntervalResult> result) {}
}
