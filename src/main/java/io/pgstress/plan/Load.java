package io.pgstress.plan;

import java.time.Duration;
import java.util.List;

/** How operations are started. */
public sealed interface Load {
    /** The number of clients, at least 1; each has one session at a time. */
    int clients();

    /** The same load with another number of clients. */
    Load withClients(int other);

    /** Each client sends its next operation when the last one ended. */
    record Closed(int clients) implements Load {
        @Override
        public Load withClients(int other) {
            return new Closed(other);
        }
    }

    /**
     * Operations start at set times, whatever became of the ones before.
     *
     * @param rates operations per second over all clients, one or several steps, each above 0
     * @param step the length of a step; of no effect with one rate
     * @param ramp the time from no load to the first rate, within the warm-up or ahead of it; may be zero
     */
    record Open(int clients, List<Double> rates, Arrival arrival, Duration step, Duration ramp) implements Load {
        public Open {
            rates = List.copyOf(rates);
        }

        @Override
        public Load withClients(int other) {
            return new Open(other, rates, arrival, step, ramp);
        }
    }
}
