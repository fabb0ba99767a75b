package io.pgstress.dataset;

import io.pgstress.plan.HostShare;
import io.pgstress.plan.Load;
import io.pgstress.plan.RunSpec;
import io.pgstress.plan.WeightedOperation;

/** The sizes of first slices: what is known of a run before the load. Stateless. */
final class SliceSize {
    /** A closed load of 16 clients empties its first slice in about a second. */
    private static final long PER_CLIENT = 2_000;

    private static final long MAX_OF_CLIENTS = 50_000;

    /** Poisson arrivals and the draws of a mix exceed their mean by more than this only once in 10^20 runs. */
    private static final double DEVIATIONS = 10;

    private SliceSize() {}

    /** @param operation the number of the operation in the mix */
    static long first(RunSpec spec, int operation, HostShare share) {
        long clients = share.allClients();
        if (!(spec.load() instanceof Load.Open open)) {
            return Math.min(MAX_OF_CLIENTS, PER_CLIENT * clients);
        }
        double weights =
                spec.mix().stream().mapToDouble(WeightedOperation::weight).sum();
        double mean = open.starts(spec.phases()) * spec.mix().get(operation).weight() / weights;
        long drawn = (long) Math.ceil(mean + DEVIATIONS * Math.sqrt(mean));
        return drawn
                + Math.min(2 * KeyHandout.PORTION * clients, drawn / 3 + 2 * clients); // ids that clients hold unused
    }
}
