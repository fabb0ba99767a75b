package io.pgstress.importer;

import io.pgstress.importer.JsonHash.NestHash;
import java.util.Arrays;

/**
 * A 64-bit hash of a JSON text by its value as jsonb: white space, the order of keys, escapes and the notation of numbers make
 * no difference, and the last of repeated keys counts. The text must be valid JSON in UTF-8, with hexadecimal escapes for
 * control characters only, as the converter and PostgreSQL write it. Allocates only to grow; does not recurse; not thread-safe.
 */
final class JsonHash {
    private static final long FNV_PRIME = 0x100000001B3L;

    /** Maximum length of a token cut off by the end of a piece; no number is longer. */
    private static final int MAX_TOKEN = 1 << 17;

    private static final byte[] NONE = {};

    private final NestHash nest = new NestHash();
    private byte[] text = NONE;
    private int at;
    private int end;
    private boolean last;
    /** The beginning of a token that was cut off by the end of a piece. */
    private byte[] carried = NONE;

    private boolean inString;
    private long string;

    /**
     * Hashes the text from {@code from} to before {@code to}.
     *
     * @param mayRepeat whether an object may repeat a key; memory then grows with the number of members
     */
    long of(byte[] bytes, int from, int to, boolean mayRepeat) {
        begin(mayRepeat);
        more(bytes, from, to, true);
        return end();
    }

    /** Begins a text given in pieces. */
    void begin(boolean mayRepeat) {
        nest.begin(mayRepeat);
        carried = NONE;
        inString = false;
    }

    /** Hashes the next piece of the text; call {@link #end} after the last. */
    void more(byte[] bytes, int from, int to, boolean isLast) {
        int next = carried.length == 0 ? from : join(bytes, from, to, isLast);
        if (next < to) {
            int cut = scan(bytes, next, to, isLast);
            carried = cut < to ? Arrays.copyOfRange(bytes, cut, to) : NONE;
        }
    }

    /** Hashes the token that was cut off; returns the index after it in this piece. */
    private int join(byte[] bytes, int from, int to, boolean isLast) {
        int before = carried.length;
        int taken = Math.min(to - from, MAX_TOKEN);
        byte[] both = Arrays.copyOf(carried, before + taken);
        System.arraycopy(bytes, from, both, before, taken);
        int cut = scan(both, 0, both.length, isLast && taken == to - from);
        if (cut < before) {
            carried = both;
            return to;
        }
        carried = NONE;
        return from + cut - before;
    }

    /** The hash of the text. */
    long end() {
        return nest.end();
    }

    /** Hashes tokens; returns the index of one that is cut off, if this is not the last piece, otherwise {@code to}. */
    private int scan(byte[] bytes, int from, int to, boolean isLast) {
        text = bytes;
        at = from;
        end = to;
        last = isLast;
        while (at < end && step()) {
            // continue with the next token
        }
        text = NONE;
        return at;
    }

    /** Hashes a token, or the available part of a string; false if it is cut off. */
    private boolean step() {
        if (inString) {
            return string();
        }
        switch (text[at]) {
            case ' ', ',', ':', '\n', '\t', '\r' -> at++;
            case '{' -> bracket(true);
            case '[' -> bracket(false);
            case '}', ']' -> {
                at++;
                nest.close();
            }
            case '"' -> {
                at++;
                inString = true;
                string = 17;
            }
            case 't', 'n' -> {
                return literal(4);
            }
            case 'f' -> {
                return literal(5);
            }
            default -> {
                return number();
            }
        }
        return true;
    }

    private void bracket(boolean object) {
        at++;
        nest.open(object);
    }

    private boolean literal(int length) {
        if (end - at < length) {
            return false;
        }
        nest.take(NestHash.mix(5, text[at]));
        at += length;
        return true;
    }

    private boolean number() {
        int start = at;
        while (at < end && NumberHash.isPart(text[at])) {
            at++;
        }
        if (at == end && !last) {
            at = start;
            return false;
        }
        nest.take(NestHash.mix(7, NumberHash.of(text, start, at)));
        return true;
    }

    private boolean string() {
        long hash = string;
        while (at < end && text[at] != '"') {
            if (text[at] == '\\' && isCut()) {
                string = hash;
                return false;
            }
            int c = text[at++];
            hash = (hash ^ ((c == '\\' ? escaped() : c) & 0xff)) * FNV_PRIME;
        }
        string = hash;
        if (at < end) {
            at++;
            inString = false;
            nest.quoted(NestHash.mix(hash, hash >>> 31));
        }
        return true;
    }

    /** Whether an escape continues in the next piece. */
    private boolean isCut() {
        int left = end - at;
        return left < 2 || (text[at + 1] == 'u' && left < 6);
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

    /**
     * Hashes the arrays and objects of a JSON text from the hashes of its tokens. The order of an array's values matters, that of
     * an object's members does not, and the last of repeated keys counts. Allocates only to grow; not thread-safe.
     */
    static final class NestHash {
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
                hash = sum(members, first, used);
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

        /** Sums the hashes of an object's members with repeated keys, the last {@code to - from}; the last of each key counts. */
        private static long sum(long[] members, int from, int to) {
            long[] seen = new long[4 * Integer.highestOneBit(Math.max(4, (to - from) / 2))];
            long sum = 0;
            for (int i = to - 2; i >= from; i -= 2) {
                if (add(seen, members[i])) {
                    sum += mix(members[i], members[i + 1]);
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

    /** Hashes a JSON number by its value: 1.0E+18, 1e18 and 1000000000000000000 are the same, and so are 0 and -0.0. */
    static final class NumberHash {
        private NumberHash() {}

        static boolean isPart(byte c) {
            return (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '+' || c == 'e' || c == 'E';
        }

        /** Hashes the number's text from {@code from} to before {@code to}: its digits between the outer zeros, and its exponent. */
        static long of(byte[] text, int from, int to) {
            boolean negative = text[from] == '-';
            long hash = 0;
            boolean fraction = false;
            boolean significant = false;
            int zeros = 0;
            long exponent = 0;
            int i = negative ? from + 1 : from;
            for (; i < to && (text[i] | 0x20) != 'e'; i++) {
                if (text[i] == '.') {
                    fraction = true;
                    continue;
                }
                exponent -= fraction ? 1 : 0;
                if (text[i] == '0') {
                    zeros += significant ? 1 : 0;
                    continue;
                }
                for (; zeros > 0; zeros--) {
                    hash = NestHash.mix(hash, '0');
                }
                hash = NestHash.mix(hash, text[i]);
                significant = true;
            }
            if (!significant) {
                return 0;
            }
            exponent += zeros + (i < to ? exponentOf(text, i + 1, to) : 0);
            return NestHash.mix(negative ? ~hash : hash, exponent);
        }

        private static long exponentOf(byte[] text, int from, int to) {
            boolean negative = text[from] == '-';
            long value = 0;
            for (int i = negative || text[from] == '+' ? from + 1 : from; i < to; i++) {
                value = value * 10 + text[i] - '0';
            }
            return negative ? -value : value;
        }
    }
}
