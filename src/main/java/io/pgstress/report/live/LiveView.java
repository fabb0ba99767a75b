package io.pgstress.report.live;

import io.pgstress.result.IntervalResult;

/** Shows how a run goes on, on stderr. Called by one thread. */
public interface LiveView extends AutoCloseable {
    /** Shows nothing. */
    LiveView NONE = new LiveView() {
        @Override
        public void phase(String name, double seconds) {}

        @Override
        public void interval(IntervalResult interval) {}

        @Override
        public void close() {}
    };

    /** A phase begins: its name and how long it is to last, 0 where that is not known. */
    void phase(String name, double seconds);

    /** An interval is over; its time counts from the start of its phase. */
    void interval(IntervalResult interval);

    /** Leaves the cursor at the start of an empty line. */
    @Override
    void close();
}
