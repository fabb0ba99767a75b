package io.pgstress.compare;

import io.pgstress.result.Remark;
import io.pgstress.result.RemarkCode;
import java.util.ArrayList;
import java.util.List;

/** Why a comparison is not valid: one of its blocks was not, or the client limited a variant. */
final class InvalidityReasons {
    /** If the client uses more than this share of its cores, it may be the bottleneck instead of the server. */
    private static final double MAX_CPU = 0.7;

    private InvalidityReasons() {}

    static List<Remark> of(ComparisonState state) {
        List<Remark> reasons =
                new ArrayList<>(state.reasons().remarks(state.blocks().size(), "blocks"));
        state.tallies().forEach((variant, tally) -> {
            double cores = tally.sums().getOrDefault("clientCores", 0.0);
            double cpus = tally.sums().getOrDefault("clientCpus", 0.0);
            if (cores > MAX_CPU * cpus) {
                reasons.add(Remark.of(
                        RemarkCode.VARIANT_CLIENT_CPU, variant, cores / tally.blocks(), cpus / tally.blocks()));
            }
        });
        return reasons;
    }
}
