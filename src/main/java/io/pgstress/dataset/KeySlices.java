package io.pgstress.dataset;

import io.pgstress.plan.HostShare;
import io.pgstress.plan.Load;
import io.pgstress.plan.RunSpec;
import io.pgstress.plan.WeightedOperation;

/**
 * The ids of a table in shuffled order, divided into slices. The copy table holds one slice at a time, so that a run copies little
 * more than the rows that it uses. All hosts of a run take the same slices. A slice is taken while no client runs; thread-safe otherwise.
 */
public final class KeySlices {
    /** Each slice is at least this part of all before it, so that pauses become rarer. */
    private static final int PART = 4;

    /** A closed loop of 16 clients empties its first slice in about a second. */
    private static final long PER_CLIENT = 2_000;

    private static final long MAX_OF_CLIENTS = 50_000;

    /** Poisson arrivals and the draws of a mix exceed their mean by more than this only once in 10^20 runs. */
    private static final double DEVIATIONS = 10;

    private final Permutation permutation;
    private final long size;
    /** Size of the first slice; 0: all ids are one slice. */
    private long first;

    private long next;
    private long taken;
    private volatile long begin;
    private volatile long end;

    /**
     * All ids as one slice.
     *
     * @param size number of ids
     * @param seed the run's seed, the same on all hosts
     */
    public KeySlices(long size, long seed) {
        this.permutation = new Permutation(size, seed);
        this.size = size;
        this.end = size;
    }

    /**
     * Divides the ids, before the first slice is taken. In an open loop, which cannot pause, the first slice is enough for all
     * scheduled starts.
     *
     * @param operation the number in the mix of the operation that uses the ids
     */
    public void divide(RunSpec spec, int operation, HostShare share) {
        divide(firstSlice(spec, operation, share));
    }

    /** @param ids size of the first slice, at least 1 */
    void divide(long ids) {
        first = ids;
    }

    /** Takes the next slice; the first one again when all ids have been in a slice. */
    public void take() {
        if (first == 0) {
            return;
        }
        long wanted = Math.max(first, taken / PART);
        begin = next;
        end = size - begin - wanted < first / 2 ? size : begin + wanted;
        taken += end - begin;
        next = end % size;
    }

    /** The place of the first id of the slice in shuffled order. */
    public long begin() {
        return begin;
    }

    /** The place behind the last id of the slice. */
    public long end() {
        return end;
    }

    /** The index of the id at a place, from 0 to size - 1. */
    public long at(long place) {
        return permutation.at(place);
    }

    /**
     * The size of the first slice: what is known of a run before the load.
     *
     * @param operation the number of the operation in the mix
     */
    static long firstSlice(RunSpec spec, int operation, HostShare share) {
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

    /** A permutation of the numbers from 0 to size - 1, by multiplication with a number coprime to the size. Immutable. */
    public static final class Permutation {
        private static final double GOLDEN = 0.6180339887498949;

        private final long size;
        private final long step;
        private final long shift;

        /** @param size from 1 to 2^40 */
        public Permutation(long size, long seed) {
            this.size = size;
            this.shift = Math.floorMod(new SplitMix(seed, -1).next(), size);
            long most = Long.MAX_VALUE / size - 1; // so that no product overflows
            long candidate = Math.max(1, Math.min((long) (size * GOLDEN), most / 2));
            while (gcd(candidate, size) != 1) {
                candidate++;
            }
            this.step = candidate;
        }

        /** The number at this place, from 0 to size - 1. */
        public long at(long index) {
            return (index * step + shift) % size;
        }

        private static long gcd(long a, long b) {
            return b == 0 ? a : gcd(b, a % b);
        }
    }
}
