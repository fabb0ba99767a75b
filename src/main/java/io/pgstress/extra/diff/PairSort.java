package io.pgstress.extra.diff;

/**
 * Sorts pairs of longs, one after the other in an array, by their first numbers as unsigned: a radix sort by bytes, which keeps
 * the order of pairs with the same first number.
 */
final class PairSort {
    static final int PARTS = 256;
    private static final int LAST_SHIFT = Long.SIZE - Byte.SIZE;

    private PairSort() {}

    /** Sorts the first {@code count} pairs; returns the array that has them then: this one, or another of the same length. */
    static long[] sort(long[] pairs, int count) {
        long[] from = pairs;
        long[] to = new long[pairs.length];
        for (int shift = 0; shift <= LAST_SHIFT; shift += Byte.SIZE) {
            int[] starts = starts(from, count, shift);
            if (!isOnePart(starts, count)) {
                scatter(from, count, shift, starts, to);
                long[] free = from;
                from = to;
                to = free;
            }
        }
        return from;
    }

    /** Copies the pairs, ordered by the first number's most significant byte; returns where each part starts, and the end. */
    static int[] partition(long[] pairs, int count, long[] to) {
        int[] starts = starts(pairs, count, LAST_SHIFT);
        scatter(pairs, count, LAST_SHIFT, starts, to);
        return starts;
    }

    /** The index of the first pair of each part, in sorted pairs, and the end. */
    static int[] starts(long[] sorted, int count) {
        return starts(sorted, count, LAST_SHIFT);
    }

    private static int[] starts(long[] pairs, int count, int shift) {
        int[] starts = new int[PARTS + 1];
        for (int i = 0; i < count; i++) {
            starts[part(pairs[2 * i], shift) + 1]++;
        }
        for (int part = 0; part < PARTS; part++) {
            starts[part + 1] += starts[part];
        }
        return starts;
    }

    private static boolean isOnePart(int[] starts, int count) {
        for (int part = 0; part < PARTS; part++) {
            if (starts[part + 1] != starts[part]) {
                return starts[part + 1] - starts[part] == count;
            }
        }
        return true;
    }

    private static void scatter(long[] from, int count, int shift, int[] starts, long[] to) {
        int[] next = starts.clone();
        for (int i = 0; i < count; i++) {
            int at = next[part(from[2 * i], shift)]++;
            to[2 * at] = from[2 * i];
            to[2 * at + 1] = from[2 * i + 1];
        }
    }

    private static int part(long key, int shift) {
        return (int) (key >>> shift) & (PARTS - 1);
    }
}
