package io.pgstress.runner;

import io.pgstress.measure.OperationLog;
import io.pgstress.measure.Phase;
import io.pgstress.result.IntervalResult;
import io.pgstress.result.Remark;
import io.pgstress.result.RunResult;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Receives the progress of a run. Called by one thread at a time; during the load, not by the run's own thread. */
public interface RunListener {
    /** Ignores everything. */
    RunListener NONE = new RunListener() {};

    /** The clients are about to connect; {@code known} is the part of the result that is known by then, without any figure. */
    default void begins(RunResult known) {}

    /** A phase begins; {@code seconds} is its planned length, 0 if unknown. */
    default void phase(Phase phase, double seconds) {}

    /** How far a long set-up has come, before the load. */
    default void progress(String text) {}

    /** A warning: before the load starts, or because a host was lost. */
    default void warning(Remark remark) {}

    /** A node's pool is being filled; {@code gauges} returns its connections by state and may be called by any thread. */
    default void pool(String node, Supplier<Map<String, Number>> gauges) {}

    /** Where a client of this process logs its operations one by one; null: nowhere. Asked once per client, before the load. */
    default @Nullable OperationLog logOf(int client) {
        return null;
    }

    /** An interval has ended. {@code result.atSeconds()} counts from the start of its phase. */
    default void interval(IntervalResult result) {}

    /**
     * Reports an interval again at the end of the next one: by then, clients with operations that lasted beyond its end have
     * flushed their counts. {@code result} computes the figures; call it only during this call.
     */
    default void settled(Phase phase, Supplier<IntervalResult> result) {}
}
