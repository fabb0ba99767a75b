package io.pgstress.report.live;

import io.pgstress.measure.Phase;
import io.pgstress.result.IntervalResult;

/** Shows the progress of a run, or of several one after another, on stderr. Called by one thread at a time. */
public interface LiveView extends AutoCloseable {
    /** Shows nothing. */
    LiveView NONE = new LiveView() {
        @Override
        public void phase(Phase phase, double seconds) {}

        @Override
        public void interval(IntervalResult interval) {}

        @Override
        public void close() {}
    };

    /** A run begins that is one of several, which this names. */
    default void begins(String run) {}

    /** A phase begins; {@code seconds} is its expected length, 0 if unknown. */
    void phase(Phase phase, double seconds);

    /** An interval has ended; its time counts from the start of its phase. */
    void interval(IntervalResult interval);

    /** Leaves the cursor at the start of an empty line. */
    @Override
    void close();
}
