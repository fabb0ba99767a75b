package io.pgstress.probe;

import java.util.Map;
import java.util.function.Consumer;

/** Differences of counters, which a server may have reset in between, as after a crash. */
final class Deltas {
    private Deltas() {}

    /**
     * Adds the differences between two readings. If a counter went down, all of them were reset: only the second reading
     * is known then, and a note says so. If the first reading is empty, nothing is added.
     *
     * @param what names the counters and their server
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
        boolean wereReset =
                after.entrySet().stream().anyMatch(e -> e.getValue() < before.getOrDefault(e.getKey(), 0.0));
        if (wereReset) {
            notes.accept(what
                    + " were reset during the run (possibly by a restart): what the server had counted before is not"
                    + " included");
        }
        after.forEach((name, value) ->
                sums.merge(name, wereReset ? value : value - before.getOrDefault(name, 0.0), Double::sum));
    }
}
