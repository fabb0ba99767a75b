package io.pgstress.importer.verify;

import java.util.Arrays;

/**
 * Hashes the arrays and objects of a JSON text from the hashes of its tokens. The order of an array's values matters, that of
 * an object's members does not, and the last of repeated keys counts. Allocates only to grow; not thread-safe.
 */
final class NestHash {
    private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;
    private static final int MAX_KEPT_MEMBERS = 1 << 16;

    private boolean repeatedKeys;
    private int depth;
    private boolean[] isObject = new boolean[32];
    private boolean[] hasKey = new boolean[32];
    private long[] key = new long[32];
    /** The hash so far of each open array or object; if keys may repeat, an object's first index in members. */
    private long[] state = new long[32];
    /** If keys may repeat: the alternating hashes of keys and values of all open objects. */
    private long[] members = new long[64];

    private int used;
    private long root;

    /**
     * Begins a text.
     *
     * @param mayRepeat whether an object may repeat a key; memory then grows with the number of members
     */
    void begin(boolean mayRepeat) {
        repeatedKeys = mayRepeat;
        depth = 0;
        used = 0;
        root = 0;
    }

    /** The hash of the text, after all of its tokens. */
    long end() {
        members = members.length > MAX_KEPT_MEMBERS ? new long[64] : members;
        return root;
    }

    /** Spreads every bit of both over the result, by two rounds of multiply and fold as in splitmix64. */
    static long mix(long hash, long value) {
        long x = (hash ^ value) * MULTIPLIER;
        x = (x ^ x >>> 32) * 0xD6E8FEB86659FD93L;
        x = (x ^ x >>> 29) * MULTIPLIER;
        return x ^ x >>> 32;
    }

    /** Begins an object or an array. */
    void open(boolean object) {
        if (depth == state.length) {
            isObject = Arrays.copyOf(isObject, depth * 2);
            hasKey = Arrays.copyOf(hasKey, depth * 2);
            key = Arrays.copyOf(key, depth * 2);
            state = Arrays.copyOf(state, depth * 2);
        }
        isObject[depth] = object;
        hasKey[depth] = false;
        state[depth] = object && repeatedKeys ? used : 0;
        depth++;
    }

    /** Ends the innermost object or array. */
    void close() {
        depth--;
        long hash = state[depth];
        if (isObject[depth] && repeatedKeys) {
            int first = (int) state[depth];
            hash = LastOfKeys.sum(members, first, used);
            used = first;
        }
        take(mix(isObject[depth] ? 11 : 13, hash));
    }

    /** Adds a string: a key where one is expected, otherwise a value. */
    void quoted(long hash) {
        int top = depth - 1;
        if (depth > 0 && isObject[top] && !hasKey[top]) {
            key[top] = hash;
            hasKey[top] = true;
        } else {
            take(mix(3, hash));
        }
    }

    /** Adds a value to the innermost object or array. */
    void take(long value) {
        int top = depth - 1;
        if (depth == 0) {
            root = value;
        } else if (!isObject[top]) {
            state[top] = mix(state[top] + 1, value);
        } else {
            hasKey[top] = false;
            if (repeatedKeys) {
                put(key[top], value);
            } else {
                state[top] += mix(key[top], value);
            }
        }
    }

    private void put(long keyHash, long value) {
        if (used + 2 > members.length) {
            members = Arrays.copyOf(members, members.length * 2);
        }
        members[used++] = keyHash;
        members[used++] = value;
    }
}
