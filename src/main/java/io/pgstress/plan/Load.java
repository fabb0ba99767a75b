package io.pgstress.plan;

import java.time.Duration;
import java.util.List;

/** How operations are started. */
public sealed interface Load {
    /** The number of clients, at least 1. Each uses one session at a time. */
    int clients();

    /** Each client sends its next operation when the previous one has ended. */
    record Closed(int clients) implements Load {}

    /**
     * Operations start at scheduled times, whether or not earlier ones have ended.
     *
     * @param rates operations per second of all clients together, for one or several steps; each above 0
     * @param step the length of a step; has no effect with a single rate
     * @param ramp time in which the rate rises from 0 to the first rate, during the warm-up or before it; may be zero
     */
    record Open(int clients, List<Double> rates, Arrival arrival, Duration step, Duration ramp) implements Load {
        public Open {
            rates = List.copyOf(rates);
        }

        /** The mean number of operations that are scheduled, if the warm-up lasts as long as it may. */
        public double starts(Phases phases) {
            double sum = rates.get(0) * phases.maxWarmup().toNanos() / 1e9;
            double left = phases.measure().toNanos() / 1e9;
            for (int i = 0; i < rates.size(); i++) {
                double seconds = i == rates.size() - 1 ? left : Math.min(left, step.toNanos() / 1e9);
                sum += rates.get(i) * seconds;
                left -= seconds;
            }
            return sum;
        }
    }
}
