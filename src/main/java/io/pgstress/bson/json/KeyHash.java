package io.pgstress.bson.json;

import io.pgstress.bson.Bytes;

/** Hashes keys eight bytes at a time, by multiplying and folding; the multiplier is 2^64 divided by the golden ratio. */
final class KeyHash {
    static final long SEED = 0x9e3779b97f4a7c15L;

    private KeyHash() {}

    /** The hash of the bytes from {@code from} to before {@code to}. */
    static int of(byte[] text, int from, int to) {
        long hash = (long) to - from;
        int at = from;
        for (; at + 8 <= to; at += 8) {
            hash = (hash ^ Bytes.longAt(text, at)) * SEED;
            hash ^= hash >>> 29;
        }
        // Near the array's end, read byte by byte with the same result.
        long rest = 0;
        if (at < to && at + 8 <= text.length) {
            rest = Bytes.longAt(text, at) & ((1L << (8 * (to - at))) - 1);
        } else {
            for (int i = to - 1; i >= at; i--) {
                rest = (rest << 8) | (text[i] & 0xff);
            }
        }
        hash = (hash ^ rest) * SEED;
        hash ^= hash >>> 29;
        hash *= SEED;
        return (int) (hash >>> 32);
    }
}
