package io.pgstress.bson.json;

import io.pgstress.bson.Bytes;
import java.util.Arrays;

/**
 * The keys of the objects of one document, to find those that stand in their object twice. A hash table of primitives over the keys'
 * bytes as they were written to the sink, so that what is compared is what jsonb will see. Each object has a serial number, and a table
 * entry of a former document counts as empty: nothing is cleared between documents. Allocates only to grow; one a converter. The most
 * keys that fit in a document, 3.4 million, take 50 MB, which are given back with its end.
 */
final class KeySet {
    private static final int FIRST_SIZE = 1 << 10;
    private static final int KEPT_SIZE = 1 << 16;
    private static final long SEED = 0x9e3779b97f4a7c15L;

    /** Serial above, hash below: equal for equal keys of an object, hardly ever for others. */
    private long[] tags = new long[FIRST_SIZE];

    private int[] places = new int[FIRST_SIZE];
    private int used;
    private int serial;
    private int firstSerial = 1;

    /** A new document begins. */
    void reset() {
        if (serial > Integer.MAX_VALUE / 2) {
            empty();
        }
        firstSerial = serial + 1;
        used = 0;
    }

    /** The document has ended: what its many keys took is given back. */
    void release() {
        if (tags.length > KEPT_SIZE) {
            empty();
        }
    }

    private void empty() {
        tags = new long[FIRST_SIZE];
        places = new int[FIRST_SIZE];
        serial = 0;
    }

    /** The number of an object that begins. */
    int nextSerial() {
        return ++serial;
    }

    /** Adds the key between {@code from} and {@code to}, behind which its quote stands in {@code text}; false if it was there. */
    boolean add(int object, byte[] text, int from, int to) {
        if (used * 8L >= tags.length * 7L) {
            grow();
        }
        long tag = ((long) object << 32) | (hash(text, from, to) & 0xffffffffL);
        int mask = tags.length - 1;
        int slot = slot(tag, mask);
        while (tags[slot] >>> 32 >= firstSerial) {
            if (tags[slot] == tag && same(text, places[slot], from, to)) {
                return false;
            }
            slot = (slot + 1) & mask;
        }
        tags[slot] = tag;
        places[slot] = from;
        used++;
        return true;
    }

    private static int slot(long tag, int mask) {
        long mixed = tag * SEED;
        return (int) ((mixed >>> 32) ^ (mixed >>> 20)) & mask;
    }

    private static int hash(byte[] text, int from, int to) {
        long hash = (long) to - from;
        int at = from;
        for (; at + 8 <= to; at += 8) {
            hash = (hash ^ Bytes.longAt(text, at)) * SEED;
            hash ^= hash >>> 29;
        }
        // At the array's end byte by byte, to the same number.
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

    private static boolean same(byte[] text, int place, int from, int to) {
        // The ending quote is compared too: the key there might be longer.
        return Arrays.equals(text, place, place + to - from + 1, text, from, to + 1);
    }

    private void grow() {
        long[] oldTags = tags;
        int[] oldPlaces = places;
        tags = new long[oldTags.length * 2];
        places = new int[tags.length];
        int mask = tags.length - 1;
        for (int i = 0; i < oldTags.length; i++) {
            if (oldTags[i] >>> 32 >= firstSerial) {
                int slot = slot(oldTags[i], mask);
                while (tags[slot] != 0) {
                    slot = (slot + 1) & mask;
                }
                tags[slot] = oldTags[i];
                places[slot] = oldPlaces[i];
            }
        }
    }
}
