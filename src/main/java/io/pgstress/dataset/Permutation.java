package io.pgstress.dataset;

/** A permutation of the numbers from 0 to size - 1, by multiplication with a number coprime to the size. Immutable. */
public final class Permutation {
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
