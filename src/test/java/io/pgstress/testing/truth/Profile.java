package io.pgstress.testing.truth;

import static java.util.concurrent.TimeUnit.MICROSECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;

import java.util.SplittableRandom;

/** The service times for which the ground truth is published. Random times depend only on the statement's number. */
public enum Profile {
    FIXED("every answer takes 2 ms") {
        @Override
        public ServiceTime during(long warmup, long measure) {
            return (number, since) -> millis(2);
        }
    },
    BIMODAL("70% of the answers take 1 ms, 30% take 8 ms, at random") {
        @Override
        public ServiceTime during(long warmup, long measure) {
            return (number, since) -> random(number).nextDouble() < 0.7 ? millis(1) : millis(8);
        }
    },
    LOGNORMAL("lognormal with a median of 2 ms and a sigma of 0.8") {
        @Override
        public ServiceTime during(long warmup, long measure) {
            return (number, since) -> millis(2 * Math.exp(0.8 * random(number).nextGaussian()));
        }
    },
    STALL("2 ms; from 30% of the measurement on, the server gives no answer for 2 s, then all that are due") {
        @Override
        public ServiceTime during(long warmup, long measure) {
            long start = warmup + measure * 3 / 10;
            long end = start + SECONDS.toNanos(2);
            return (number, since) ->
                    since < end && since + millis(2) > start ? Math.max(millis(2), end - since) : millis(2);
        }
    },
    SLOW_TENTH("2 ms; 16 ms for a tenth of the measurement, from 40% of it on") {
        @Override
        public ServiceTime during(long warmup, long measure) {
            long start = warmup + measure * 4 / 10;
            return (number, since) -> since >= start && since < start + measure / 10 ? millis(16) : millis(2);
        }
    },
    RAMP("1 ms at the start of the measurement, growing evenly to 6 ms at its end") {
        @Override
        public ServiceTime during(long warmup, long measure) {
            return (number, since) -> millis(1 + 5 * Math.min(1, Math.max(0, (double) (since - warmup) / measure)));
        }
    };

    private static final long SEED = 17;

    private final String description;

    Profile(String description) {
        this.description = description;
    }

    /** A description. */
    public String description() {
        return description;
    }

    /**
     * The service times of a run whose load starts with the first statement.
     *
     * @param warmup nanoseconds from the first statement to the start of the measurement
     * @param measure the length of the measurement in nanoseconds
     */
    public abstract ServiceTime during(long warmup, long measure);

    private static long millis(double millis) {
        return Math.round(millis * MICROSECONDS.toNanos(1000));
    }

    private static SplittableRandom random(int number) {
        return new SplittableRandom(SEED + number * 0x9E3779B97F4A7C15L);
    }
}
