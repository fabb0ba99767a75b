package io.pgstress.probe.server;

import java.util.Map;
import java.util.function.Consumer;

/** Differences of counters that a server may have begun anew in between, as it does after a crash or on a reset. */
final class Deltas {
    private Deltas() {}

    /**
     * Adds what was counted between two readings. Where a counter went down, all of them were begun anew: what the second
     * reading has is all that is known then, and a note says so. Where the first reading has nothing, nothing is added: the
     * second one counts from the server's birth.
     *
     * @param what they are, and whose
     */
    static void add(
            Map<String, Double> sums,
            Map<String, Double> before,
            Map<String, Double> after,
            String what,
            Consumer<String> notes) {
        if (after.isEmpty()) {
            return;
        }
        if (before.isEmpty()) {
            notes.accept(what + " were not readable before the run: left out");
            return;
        }
        boolean anew = after.entrySet().stream().anyMatch(e -> e.getValue() < before.getOrDefault(e.getKey(), 0.0));
        if (anew) {
            notes.accept(
                    what + " began anew during the run (a restart or a reset): what it had counted before is not in"
                            + " these figures");
        }
        after.forEach(
                (name, value) -> sums.merge(name, anew ? value : value - before.getOrDefault(name, 0.0), Double::sum));
    }
}
