package io.pgstress.plan;

import io.pgstress.plan.option.Options;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Creates the load and the phases of a run from its options. */
final class LoadReader {
    private LoadReader() {}

    static RunSpec spec(Options read, Purpose purpose) {
        List<Endpoint> endpoints = EndpointReader.endpoints(read);
        Options options = read;
        Optional<Integer> rounds = purpose.isSingle() ? read.get(RunOptions.ROUNDS) : Optional.empty();
        if (rounds.isPresent() && !read.get(RunOptions.ROUND_TIME).isZero()) {
            Duration all = read.get(RunOptions.ROUND_TIME).multipliedBy(rounds.get());
            options = read.with(RunLoadOptions.DURATION, all.toMillis() + "ms");
        }
        int ofServers = endpoints.stream().mapToInt(Endpoint::clients).sum();
        if (ofServers > 0 && !purpose.isSearch() && !read.isGiven(RunLoadOptions.THREADS)) {
            options = options.with(RunLoadOptions.THREADS, Integer.toString(ofServers));
        }
        return new RunSpec(endpoints, options.get(RunOptions.TABLE), load(options), phases(options), options);
    }

    private static Load load(Options o) {
        int clients = o.get(RunLoadOptions.THREADS).orElse(1); // each step of a search sets its own
        List<Double> rates = o.get(RunLoadOptions.RATE);
        if (rates.isEmpty()) {
            return new Load.Closed(clients);
        }
        Duration step =
                o.get(RunLoadOptions.STEP).orElse(o.get(RunLoadOptions.DURATION).dividedBy(rates.size()));
        return new Load.Open(clients, rates, o.get(RunLoadOptions.ARRIVAL), step, o.get(RunLoadOptions.RAMP));
    }

    private static Phases phases(Options o) {
        Optional<Duration> warmup = o.get(RunLoadOptions.WARMUP);
        int rates = o.get(RunLoadOptions.RATE).size();
        return new Phases(
                warmup.orElse(o.get(RunLoadOptions.WARMUP_LIMIT)),
                warmup.isEmpty(),
                o.get(RunLoadOptions.WARMUP_EXECUTIONS),
                o.get(RunLoadOptions.WARMUP_LIMIT),
                rates == 0
                        ? o.get(RunLoadOptions.DURATION)
                        : o.get(RunLoadOptions.STEP)
                                .map(s -> s.multipliedBy(rates))
                                .orElse(o.get(RunLoadOptions.DURATION)),
                o.get(RunLoadOptions.DRAIN),
                o.get(RunLoadOptions.INTERVAL));
    }
}
