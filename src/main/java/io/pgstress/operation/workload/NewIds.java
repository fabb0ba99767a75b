package io.pgstress.operation.workload;

import io.pgstress.plan.option.InvalidPlanException;
import org.jspecify.annotations.Nullable;

/**
 * The ids that the clients of all hosts insert, each id once. A host uses the ids with one remainder, so hosts never
 * collide, even if they start from different ids. Immutable.
 *
 * @param base greater than the ids in the tables
 * @param last the greatest id that the column can hold
 * @param shuffle the order of the ids; null: ascending
 */
record NewIds(long base, long last, @Nullable IdShuffle shuffle) {
    /** Returned when no ids are left. */
    static final long NONE = -1;

    private static final long MIN_RANDOM = 1_000_000;

    /** The greatest {@code integer}, and a limit for {@code bigint} from which sums cannot overflow. */
    static long last(boolean isBigint) {
        return isBigint ? 1L << 62 : Integer.MAX_VALUE;
    }

    static NewIds ascending(long greatest, long last) {
        return new NewIds(greatest + 1, last, null);
    }

    /**
     * Ids in random order, spread over half of those that are left. The other half is for the next run, if the tables are not emptied.
     *
     * @throws InvalidPlanException if fewer than a million ids are left for this
     */
    static NewIds random(long greatest, long last, long seed) {
        long base = greatest + 1;
        long size = (last - base) / 2;
        if (size < MIN_RANDOM) {
            throw new InvalidPlanException("id-order: random spreads the ids over half of those that are left, and"
                    + " sbtest has ids up to " + greatest + " of " + last
                    + "; empty its tables (truncate), or make id a bigint");
        }
        return new NewIds(base, last, new IdShuffle(size, seed));
    }

    boolean isLong() {
        return last > Integer.MAX_VALUE;
    }

    /**
     * A client's id; {@link #NONE} if it has no more.
     *
     * @param turn how many ids the client has used
     */
    long id(int client, int clients, long turn) {
        long place = client + turn * clients;
        if (shuffle != null) {
            if (place >= shuffle.size()) {
                return NONE;
            }
            place = shuffle.at(place);
        }
        long id = base + place;
        return id > last ? NONE : id;
    }

    /**
     * A pseudo-random permutation of the numbers from 0 to {@code size} - 1 that needs no memory: a Feistel network over the
     * next power of four, applied again while its result is out of range ("cycle walking"; Black and Rogaway, Ciphers with
     * Arbitrary Finite Domains, 2002). Equal on all hosts for the same size and seed. Immutable.
     */
    static final class IdShuffle {
        private static final int ROUNDS = 4;

        private final long size;
        private final long seed;
        private final int half;
        private final long mask;

        /** @param size at least 1, at most 2^62 */
        IdShuffle(long size, long seed) {
            if (size < 1 || size > 1L << 62) {
                throw new IllegalArgumentException("size must be from 1 to 2^62, was " + size);
            }
            this.size = size;
            this.seed = seed;
            this.half = Math.max(1, (Long.SIZE - Long.numberOfLeadingZeros(size - 1) + 1) / 2);
            this.mask = (1L << half) - 1;
        }

        long size() {
            return size;
        }

        /** The image of a number from 0 to {@code size} - 1. */
        long at(long number) {
            long image = number;
            do {
                image = network(image);
            } while (image >= size);
            return image;
        }

        private long network(long number) {
            long left = number >>> half;
            long right = number & mask;
            for (int round = 0; round < ROUNDS; round++) {
                long next = left ^ (mixed(right, round) & mask);
                left = right;
                right = next;
            }
            return left << half | right;
        }

        /** Steele, Lea and Flood's finalizer of SplitMix64 (OOPSLA 2014). */
        private long mixed(long value, int round) {
            long z = value + seed + (round + 1) * 0x9e3779b97f4a7c15L;
            z = (z ^ z >>> 30) * 0xbf58476d1ce4e5b9L;
            z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
            return z ^ z >>> 31;
        }
    }
}
