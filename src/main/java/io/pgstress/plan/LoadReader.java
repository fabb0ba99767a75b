package io.pgstress.plan;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** How much load, and for how long. */
final class LoadReader {
    /** More clients than any server takes. */
    static final int MOST_CLIENTS = 100_000;

    private LoadReader() {}

    static Load load(OptionValues v, List<Endpoint> endpoints) {
        int weighted = endpoints.stream().mapToInt(Endpoint::clients).sum();
        int clients = weighted > 0 && !v.isGiven("threads") ? weighted : v.integer("threads", 1, MOST_CLIENTS);
        String rate = v.text("rate");
        Arrival arrival = v.choice("arrival", Arrival.class);
        Duration ramp = v.duration("ramp");
        if (rate.isEmpty()) {
            return new Load.Closed(clients);
        }
        List<Double> rates = new ArrayList<>();
        for (String part : rate.split(",", -1)) {
            try {
                double value = Double.parseDouble(part.trim());
                if (!(value > 0 && value <= 1e9)) {
                    throw new NumberFormatException();
                }
                rates.add(value);
            } catch (NumberFormatException e) {
                v.problem("rate", "must be operations per second above 0, was '" + part + "'");
            }
        }
        Duration step = v.text("step").isEmpty()
                ? v.duration("duration").dividedBy(Math.max(1, rates.size()))
                : v.duration("step");
        return new Load.Open(clients, rates, arrival, step, ramp);
    }

    static Phases phases(OptionValues v) {
        boolean auto = v.text("warmup").equals("auto");
        Duration warmup = auto ? v.duration("warmup-limit") : v.duration("warmup");
        Duration measure = v.positiveDuration("duration");
        if (!v.text("rate").isEmpty() && !v.text("step").isEmpty()) {
            measure = v.positiveDuration("step").multipliedBy(v.text("rate").split(",", -1).length);
        }
        return new Phases(
                warmup,
                auto,
                v.integer("warmup-executions", 0, 1_000_000),
                v.duration("warmup-limit"),
                measure,
                v.duration("drain"),
                v.positiveDuration("interval"));
    }
}
