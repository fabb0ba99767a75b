package io.pgstress.plan;

import io.pgstress.plan.option.Options;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Creates the load and the phases of a run from its options. */
final class LoadReader {
    /** An interval takes some 8 kB of the result. */
    private static final int MAX_INTERVALS = 1_800;

    private LoadReader() {}

    static Load load(Options o) {
        int clients = o.get(RunLoadOptions.CLIENTS).orElse(1); // each step of a search sets its own
        List<Double> rates = o.get(RunLoadOptions.RATE);
        if (rates.isEmpty()) {
            return new Load.Closed(clients);
        }
        Duration step =
                o.get(RunLoadOptions.STEP).orElse(o.get(RunLoadOptions.DURATION).dividedBy(rates.size()));
        return new Load.Open(clients, rates, o.get(RunLoadOptions.ARRIVAL), step, o.get(RunLoadOptions.RAMP));
    }

    static Phases phases(Options o) {
        Optional<Duration> warmup = o.get(RunLoadOptions.WARMUP);
        int rates = o.get(RunLoadOptions.RATE).size();
        Duration measure = rates == 0
                ? o.get(RunLoadOptions.DURATION)
                : o.get(RunLoadOptions.STEP).map(s -> s.multipliedBy(rates)).orElse(o.get(RunLoadOptions.DURATION));
        return new Phases(
                warmup.orElse(o.get(RunLoadOptions.WARMUP_LIMIT)),
                warmup.isEmpty(),
                o.get(RunLoadOptions.WARMUP_EXECUTIONS),
                o.get(RunLoadOptions.WARMUP_LIMIT),
                measure,
                o.get(RunLoadOptions.DRAIN),
                interval(o, measure));
    }

    /** Hours of short intervals would fill memory and the result, so a long run has longer ones, unless the user chose their length. */
    private static Duration interval(Options o, Duration measure) {
        Duration interval = o.get(RunLoadOptions.INTERVAL);
        boolean isChosen = o.isGiven(RunLoadOptions.INTERVAL);
        boolean hasEnd = o.isGiven(RunLoadOptions.DURATION) || o.isGiven(RunLoadOptions.STEP);
        long seconds = measure.toSeconds() / MAX_INTERVALS;
        return isChosen || !hasEnd || interval.toSeconds() >= seconds ? interval : Duration.ofSeconds(seconds);
    }
}
