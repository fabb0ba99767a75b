package io.pgstress.operation.custom;

import io.pgstress.plan.custom.CustomOperation.Source;
import io.pgstress.plan.option.InvalidPlanException;
import org.jspecify.annotations.Nullable;

/**
 * Numbers that the clients of all hosts use once each. Immutable.
 *
 * @param last the greatest number
 * @param shuffle the order of the numbers; null: ascending
 */
record SequenceNumbers(long start, long last, @Nullable Shuffle shuffle) {
    /** Returned when no numbers are left. */
    static final long NONE = Long.MIN_VALUE;

    private static final long MIN_RANDOM = 1_000_000;

    /**
     * Numbers in random order, spread over half of the range. The other half is for the next run, if the tables are not emptied.
     *
     * @throws InvalidPlanException if fewer than a million numbers are left for this
     */
    static SequenceNumbers random(long start, long last, long seed, Source source) {
        long size = (last - start) / 2;
        if (size < MIN_RANDOM) {
            throw new InvalidPlanException(source.message("random order spreads the numbers over half of those that are"
                    + " left, and numbers up to " + (start - 1) + " of " + last
                    + " are used; empty the tables (truncate), or make the column a bigint"));
        }
        return new SequenceNumbers(start, last, new Shuffle(size, seed));
    }

    /** The number at a place, from 0; {@link #NONE} if there are no more. */
    long at(long place) {
        long image = place;
        if (shuffle != null) {
            if (place >= shuffle.size()) {
                return NONE;
            }
            image = shuffle.at(place);
        }
        long number = start + image;
        return number > last ? NONE : number;
    }

    /**
     * A pseudo-random permutation of the numbers from 0 to {@code size} - 1 that needs no memory: a Feistel network over the
     * next power of four, applied again while its result is out of range ("cycle walking"; Black and Rogaway, Ciphers with
     * Arbitrary Finite Domains, 2002). Equal on all hosts for the same size and seed. Immutable.
     */
    static final class Shuffle {
        private static final int ROUNDS = 4;

        private final long size;
        private final long seed;
        private final int half;
        private final long mask;

        /** @param size at least 1, at most 2^62 */
        Shuffle(long size, long seed) {
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
