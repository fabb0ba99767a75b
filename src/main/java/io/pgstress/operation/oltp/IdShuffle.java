package io.pgstress.operation.oltp;

/**
 * A pseudo-random permutation of the numbers from 0 to {@code size} - 1 that needs no memory: a Feistel network over the
 * next power of four, applied again while its result is out of range ("cycle walking"; Black and Rogaway, Ciphers with
 * Arbitrary Finite Domains, 2002). Equal on all hosts for the same size and seed. Immutable.
 */
final class IdShuffle {
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
