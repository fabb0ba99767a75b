package io.pgstress.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Why a comparison is not valid: one of its blocks was not, or the client limited a variant. */
final class InvalidityReasons {
    /** If the client uses more than this share of its cores, it may be the bottleneck instead of the server. */
    private static final double MAX_CPU = 0.7;

    private InvalidityReasons() {}

    static List<String> of(ComparisonState state) {
        List<String> reasons = new ArrayList<>(
                RepeatedRemarks.words(state.reasons(), state.blocks().size()));
        state.tallies().forEach((variant, tally) -> {
            double cores = tally.sums().getOrDefault("clientCores", 0.0);
            double cpus = tally.sums().getOrDefault("clientCpus", 0.0);
            if (cores > MAX_CPU * cpus) {
                reasons.add(String.format(
                        Locale.ROOT,
                        "the client ran out of CPU: with %s it used %.2f of %.0f cores on average, so the ratio may reflect the"
                                + " client's limit; run it on a larger or separate machine",
                        variant,
                        cores / tally.blocks(),
                        cpus / tally.blocks()));
            }
        });
        return reasons;
    }
}
