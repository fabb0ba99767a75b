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
            options = read.with(RunOptions.DURATION, all.toMillis() + "ms");
        }
        int ofServers = endpoints.stream().mapToInt(Endpoint::clients).sum();
        if (ofServers > 0 && !purpose.isSearch() && !read.isGiven(RunOptions.THREADS)) {
            options = options.with(RunOptions.THREADS, Integer.toString(ofServers));
        }
        return new RunSpec(endpoints, options.get(RunOptions.TABLE), load(options), phases(options), options);
    }

    private static Load load(Options o) {
        int clients = o.get(RunOptions.THREADS).orElse(1); // each step of a search sets its own
        List<Double> rates = o.get(RunOptions.RATE);
        if (rates.isEmpty()) {
            return new Load.Closed(clients);
        }
        Duration step = o.get(RunOptions.STEP).orElse(o.get(RunOptions.DURATION).dividedBy(rates.size()));
        return new Load.Open(clients, rates, o.get(RunOptions.ARRIVAL), step, o.get(RunOptions.RAMP));
    }

    private static Phases phases(Options o) {
        Optional<Duration> warmup = o.get(RunOptions.WARMUP);
        int rates = o.get(RunOptions.RATE).size();
        return new Phases(
                warmup.orElse(o.get(RunOptions.WARMUP_LIMIT)),
                warmup.isEmpty(),
                o.get(RunOptions.WARMUP_EXECUTIONS),
                o.get(RunOptions.WARMUP_LIMIT),
                rates == 0
                        ? o.get(RunOptions.DURATION)
                        : o.get(RunOptions.STEP).map(s -> s.multipliedBy(rates)).orElse(o.get(RunOptions.DURATION)),
                o.get(RunOptions.DRAIN),
                o.get(RunOptions.INTERVAL));
    }
}
