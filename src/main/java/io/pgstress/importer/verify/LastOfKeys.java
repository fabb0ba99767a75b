package io.pgstress.importer.verify;

/** Sums the hashes of an object's members with repeated keys; the last of each key counts. */
final class LastOfKeys {
    private LastOfKeys() {}

    /** @param members alternating hashes of keys and values, from {@code from} to before {@code to} */
    static long sum(long[] members, int from, int to) {
        long[] seen = new long[4 * Integer.highestOneBit(Math.max(4, (to - from) / 2))];
        long sum = 0;
        for (int i = to - 2; i >= from; i -= 2) {
            if (add(seen, members[i])) {
                sum += NestHash.mix(members[i], members[i + 1]);
            }
        }
        return sum;
    }

    /** Adds to an open-addressing hash table, in which 0 is an empty slot; false if already present. */
    private static boolean add(long[] seen, long hash) {
        long entry = hash == 0 ? 1 : hash;
        int mask = seen.length - 1;
        int slot = (int) entry & mask;
        while (seen[slot] != 0) {
            if (seen[slot] == entry) {
                return false;
            }
            slot = (slot + 1) & mask;
        }
        seen[slot] = entry;
        return true;
    }
}
