package io.pgstress.runner;

import io.pgstress.result.IntervalResult;
import java.util.Map;
import java.util.function.Supplier;

/** Is told how a run goes on, by one thread at a time, which is not the run's own while there is load. */
public interface RunListener {
    /** Nobody listens. */
    RunListener NONE = new RunListener() {};

    /** A phase begins: {@code connect}, {@code warmup}, {@code measure} or {@code drain}; its planned length. */
    default void phase(String name, double seconds) {}

    /** Something to know before the load begins; the result tells it too. */
    default void warning(String text) {}

    /** A node's pool is filled; {@code gauges} tells its connections by state and may be asked by any thread. */
    default void pool(String node, Supplier<Map<String, Number>> gauges) {}

    /** An interval is over. {@code result.atSeconds()} counts from the start of its phase. */
    default void interval(String phase, IntervalResult result) {}

    /**
     * An interval again when the next one is over, with what its clients handed over since: at the end of an interval that is
     * still with those whose operation goes on beyond it. {@code result} makes its figures, while this is called only.
     */
    default void settled(String phase, Supplier<IntervalResult> result) {}
}
