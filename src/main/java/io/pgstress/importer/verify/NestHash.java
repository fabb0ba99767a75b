package io.pgstress.importer.verify;

import java.util.Arrays;

/**
 * What the arrays and objects of a JSON text come to, from the hashes of its tokens: an array depends on the order of its values, an
 * object does not on that of its members, and of repeated keys the last counts. Allocates only to grow; not thread-safe.
 */
final class NestHash {
    private static final long ODD = 0x9E3779B97F4A7C15L;
    private static final int KEPT = 1 << 16;

    private boolean repeatedKeys;
    private int depth;
    private boolean[] isObject = new boolean[32];
    private boolean[] hasKey = new boolean[32];
    private long[] key = new long[32];
    /** Of each open array or object what it has come to; where keys may repeat, an object's first place in members. */
    private long[] state = new long[32];
    /** Where keys may repeat: the hashes of keys and values, in turn, of all open objects. */
    private long[] members = new long[64];

    private int used;
    private long root;

    /**
     * Begins a text.
     *
     * @param mayRepeat whether keys may stand in their object twice; that takes memory by the members
     */
    void begin(boolean mayRepeat) {
        repeatedKeys = mayRepeat;
        depth = 0;
        used = 0;
        root = 0;
    }

    /** The hash of the text, all of whose tokens were given. */
    long end() {
        members = members.length > KEPT ? new long[64] : members;
        return root;
    }

    /** Spreads every bit of both over the result: two rounds of multiplying and folding, as in splitmix64. */
    static long mix(long hash, long value) {
        long x = (hash ^ value) * ODD;
        x = (x ^ x >>> 32) * 0xD6E8FEB86659FD93L;
        x = (x ^ x >>> 29) * ODD;
        return x ^ x >>> 32;
    }

    /** An object or an array begins. */
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

    /** What began last has ended. */
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

    /** A string: a key where one is due, else a value. */
    void quoted(long hash) {
        int top = depth - 1;
        if (depth > 0 && isObject[top] && !hasKey[top]) {
            key[top] = hash;
            hasKey[top] = true;
        } else {
            take(mix(3, hash));
        }
    }

    /** A value has ended: it goes into what it stands in. */
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
