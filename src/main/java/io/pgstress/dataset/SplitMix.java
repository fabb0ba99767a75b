package io.pgstress.dataset;

/**
 * Random numbers by SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014): fast, without
 * allocation, and with a separate state for each client of a run. Not thread-safe.
 */
public final class SplitMix {
    private static final long GAMMA = 0x9E3779B97F4A7C15L;

    private long state;

    /** @param seed the run's seed; stream the number of the client, or of another user of randomness */
    public SplitMix(long seed, long stream) {
        state = mix(seed + GAMMA) ^ mix(stream * GAMMA + 0x632BE59BD9B4E019L);
    }

    private static long mix(long z) {
        z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
        z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
        return z ^ z >>> 31;
    }

    /** 64 random bits. */
    public long next() {
        state += GAMMA;
        return mix(state);
    }

    /** A number from 0 to bound - 1, by Lemire's multiplication; its bias is below bound / 2^32. */
    public int below(int bound) {
        return (int) (((next() >>> 32) * bound) >>> 32);
    }

    /** A number from 0 to bound - 1, for bounds below 2^62; its bias is below bound / 2^63. */
    public long below(long bound) {
        return Math.multiplyHigh(next() >>> 1, bound << 1);
    }

    /** A number from 0 inclusive to 1 exclusive. */
    public double unit() {
        return (next() >>> 11) * 0x1.0p-53;
    }
}
