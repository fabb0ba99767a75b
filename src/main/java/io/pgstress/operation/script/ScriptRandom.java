package io.pgstress.operation.script;

/**
 * The random functions of pgbench: the same generator, which is xoroshiro128** 1.0 by Blackman and Vigna (prng.di.unimi.it) with
 * a seed spread by SplitMix64, and the same distributions. Not thread-safe.
 */
final class ScriptRandom {
    private static final long GAMMA = 0x9E3779B97F4A7C15L;

    /** The resolution of {@link #unit}. */
    private static final int BITS = 52;

    private long first;
    private long second;
    private long savedFirst;
    private long savedSecond;

    ScriptRandom(long seed) {
        first = mixed(seed + GAMMA);
        second = mixed(seed + GAMMA + GAMMA);
        if (first == 0 && second == 0) { // the only state that it never leaves
            first = 0x5851F42D4C957F2DL;
            second = 0x14057B7EF767814FL;
        }
        save();
    }

    private static long mixed(long seed) {
        long z = (seed ^ seed >>> 30) * 0xBF58476D1CE4E5B9L;
        z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
        return z ^ z >>> 31;
    }

    /** Keeps the state for {@link #restore}. */
    void save() {
        savedFirst = first;
        savedSecond = second;
    }

    /** Draws again what it has drawn since {@link #save}. */
    void restore() {
        first = savedFirst;
        second = savedSecond;
    }

    /** 64 random bits. */
    long next() {
        long result = Long.rotateLeft(first * 5, 7) * 9;
        long both = first ^ second;
        first = Long.rotateLeft(first, 24) ^ both ^ both << 16;
        second = Long.rotateLeft(both, 37);
        return result;
    }

    /** A number from 0 to {@code most}, all of them equally likely. */
    private long upTo(long most) {
        if (most <= 0) {
            return 0;
        }
        int unused = Long.numberOfLeadingZeros(most);
        long drawn;
        do {
            drawn = next() >>> unused;
        } while (drawn > most);
        return drawn;
    }

    /** A number from 0 inclusive to 1 exclusive. */
    private double unit() {
        return (next() >>> (Long.SIZE - BITS)) * 0x1.0p-52;
    }

    /** From {@code min} to {@code max}, whose difference is less than the greatest integer. */
    long uniform(long min, long max) {
        return min + upTo(max - min);
    }

    /** @param parameter the greater, the more frequent are numbers near {@code min}; more than 0 */
    long exponential(long min, long max, double parameter) {
        double cut = Math.exp(-parameter);
        double uniform = 1 - unit();
        double drawn = -Math.log(cut + (1 - cut) * uniform) / parameter;
        return min + (long) ((max - min + 1) * drawn);
    }

    /**
     * By the transform of Box and Muller.
     *
     * @param parameter the ends of the range are so many standard deviations from its middle, where numbers are most frequent;
     *     at least 2
     */
    long gaussian(long min, long max, double parameter) {
        double deviations;
        do {
            double radius = Math.sqrt(-2 * Math.log(1 - unit()));
            deviations = radius * Math.sin(2 * Math.PI * (1 - unit()));
        } while (deviations < -parameter || deviations >= parameter);
        double drawn = (deviations + parameter) / (parameter * 2);
        return min + (long) ((max - min + 1) * drawn);
    }

    /**
     * By rejection (Devroye: Non-Uniform Random Variate Generation, 1986, pages 550 and 551).
     *
     * @param parameter the exponent, from 1.001 to 1000
     */
    long zipfian(long min, long max, double parameter) {
        double size = max - min + 1.0;
        if (size <= 1) {
            return min;
        }
        double power = parameter - 1;
        double b = Math.pow(2, power);
        while (true) {
            double u = unit();
            double v = unit();
            double x = Math.floor(Math.pow(u, -1 / power));
            double t = Math.pow(1 + 1 / x, power);
            if (x <= size && v * x * (t - 1) / (b - 1) <= t / b) {
                return min - 1 + (long) x;
            }
        }
    }

    /**
     * The place of a number in a pseudorandom permutation of the numbers below a size, as pgbench computes it: six rounds, each of
     * which scrambles the lower half of the numbers, then the upper one, and adds an offset.
     *
     * @param size at least 1
     */
    static long permuted(long value, long size, long seed) {
        if (size < 2) {
            return 0;
        }
        ScriptRandom random = new ScriptRandom(seed);
        int bits = Long.SIZE - 1 - Long.numberOfLeadingZeros(size);
        long place = Long.remainderUnsigned(value, size);
        for (int round = 0; round < 6; round++) {
            place = random.scrambled(place, bits);
            place = size - 1 - random.scrambled(size - 1 - place, bits);
            place = Long.remainderUnsigned(place + random.upTo(size - 1), size);
        }
        return place;
    }

    /** A bijection of the numbers of so many bits: multiplied by an odd number, combined with another one, rotated. */
    private long scrambled(long place, int bits) {
        long mask = (1L << bits) - 1;
        long factor = (next() & mask) | 1;
        long other = next() & mask;
        if (place > mask) {
            return place;
        }
        long mixed = ((place * factor) ^ other) & mask;
        return ((mixed << 1) & mask) | (mixed >>> (bits - 1));
    }

    /** FNV-1a of the eight bytes of a number, least significant first. */
    static long fnv1a(long value, long seed) {
        long hash = 0xcbf29ce484222325L ^ seed;
        for (int octet = 0; octet < Long.BYTES; octet++) {
            hash ^= (value >>> (octet * Byte.SIZE)) & 0xff;
            hash *= 0x100000001b3L;
        }
        return hash;
    }

    /** MurmurHash2 (Appleby), 64 bits, of a number. */
    static long murmur2(long value, long seed) {
        long factor = 0xc6a4a7935bd1e995L;
        int shift = 47;
        long k = value * factor;
        k = (k ^ k >>> shift) * factor;
        long hash = (seed ^ factor * Long.BYTES ^ k) * factor;
        hash = (hash ^ hash >>> shift) * factor;
        return hash ^ hash >>> shift;
    }
}
