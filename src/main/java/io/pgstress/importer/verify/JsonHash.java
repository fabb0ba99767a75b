package io.pgstress.importer.verify;

import java.util.Arrays;

/**
 * A 64-bit hash of a JSON text by its meaning as jsonb has it: white space, the order of keys, escapes and the spelling of
 * numbers make no difference; of repeated keys the last counts. The text must be sound JSON in UTF-8, with hexadecimal escapes for
 * nothing but control characters, as the converter and PostgreSQL write it. Allocates only to grow; not thread-safe. Does
 * not recurse.
 */
final class JsonHash {
    private static final long ODD = 0x9E3779B97F4A7C15L;
    private static final long FNV_PRIME = 0x100000001B3L;
    private static final int KEPT = 1 << 16;

    private byte[] text = new byte[0];
    private int at;
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
     * Hashes the text from {@code from} to before {@code to}.
     *
     * @param mayRepeat whether keys may stand in their object twice; that takes memory by the members
     */
    long of(byte[] bytes, int from, int to, boolean mayRepeat) {
        text = bytes;
        at = from;
        repeatedKeys = mayRepeat;
        depth = 0;
        used = 0;
        while (at < to) {
            step();
        }
        text = new byte[0];
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

    private void step() {
        switch (text[at]) {
            case ' ', ',', ':', '\n', '\t', '\r' -> at++;
            case '{' -> open(true);
            case '[' -> open(false);
            case '}', ']' -> close();
            case '"' -> quoted();
            case 't', 'n' -> literal(4);
            case 'f' -> literal(5);
            default -> number();
        }
    }

    private void literal(int length) {
        long hash = mix(5, text[at]);
        at += length;
        take(hash);
    }

    private void number() {
        int start = at;
        while (at < text.length && NumberHash.isPart(text[at])) {
            at++;
        }
        take(mix(7, NumberHash.of(text, start, at)));
    }

    private void open(boolean object) {
        at++;
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

    private void close() {
        at++;
        depth--;
        long hash = state[depth];
        if (isObject[depth] && repeatedKeys) {
            int first = (int) state[depth];
            hash = LastOfKeys.sum(members, first, used);
            used = first;
        }
        take(mix(isObject[depth] ? 11 : 13, hash));
    }

    private void quoted() {
        long hash = string();
        int top = depth - 1;
        if (depth > 0 && isObject[top] && !hasKey[top]) {
            key[top] = hash;
            hasKey[top] = true;
        } else {
            take(mix(3, hash));
        }
    }

    /** A value has ended: it goes into what it stands in. */
    private void take(long value) {
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

    private long string() {
        long hash = 17;
        at++;
        while (text[at] != '"') {
            int c = text[at++];
            hash = (hash ^ ((c == '\\' ? escaped() : c) & 0xff)) * FNV_PRIME;
        }
        at++;
        return mix(hash, hash >>> 31);
    }

    private int escaped() {
        int c = text[at++];
        return switch (c) {
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> {
                at += 4;
                yield Character.digit(text[at - 2], 16) << 4 | Character.digit(text[at - 1], 16);
            }
            default -> c;
        };
    }
}
