package io.pgstress.testing.truth;

import java.time.Duration;
import java.util.Locale;

/**
 * A load on a server with known times.
 *
 * @param rate operations per second of an open loop; 0 for a closed one
 */
record Case(Profile profile, int clients, double rate, Duration warmup, Duration measure) {
    boolean isOpen() {
        return rate > 0;
    }

    ServiceTime times() {
        return profile.during(warmup.toNanos(), measure.toNanos());
    }

    Case withoutWarmup() {
        return new Case(profile, clients, rate, Duration.ZERO, measure);
    }

    /** The truth if neither the server nor the client lost any time. */
    Truth expected() {
        long all = warmup.plus(measure).toNanos();
        var operations = isOpen()
                ? Truth.open(clients, Truth.uniform(rate, (int) Math.ceil(rate * all / 1e9)), times())
                : Truth.closed(clients, times(), all);
        int first = 0;
        while (operations.get(first).scheduled() < warmup.toNanos()) {
            first++;
        }
        return Truth.of(operations, first, measure.toNanos());
    }

    String name() {
        String profileName = profile.name().toLowerCase(Locale.ROOT).replace('_', ' ');
        return profileName + ", " + (isOpen() ? "open" : "closed");
    }
}
