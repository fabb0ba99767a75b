package io.pgstress.bson.json;

import io.pgstress.bson.ByteSink;
import io.pgstress.bson.Bytes;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The keys of one document's objects, to find repeated ones. A hash table of primitives over the keys as written to the sink,
 * so that it compares what jsonb will see. Each object has a serial number, and entries of earlier documents count as empty, so
 * nothing is cleared between documents. Allocates only to grow; one per converter. The maximum of 3.4 million keys in a
 * document takes 50 MB, which are freed at its end.
 */
final class KeySet {
    /** 2^64 divided by the golden ratio. */
    private static final long SEED = 0x9e3779b97f4a7c15L;

    private static final int FIRST_SIZE = 1 << 10;
    private static final int MAX_KEPT_SIZE = 1 << 16;

    /** Serial number in the high bits, hash in the low bits: equal for equal keys of an object, rarely for others. */
    private long[] tags = new long[FIRST_SIZE];

    private int[] places = new int[FIRST_SIZE];
    /** Keys written differently from the document, if the sink does not keep them. */
    private ByteSink altered = new ByteSink(0);

    private int used;
    private int serial;
    private int firstSerial = 1;

    /** Begins a new document. */
    void reset() {
        if (serial > Integer.MAX_VALUE / 2) {
            empty();
        }
        firstSerial = serial + 1;
        used = 0;
        altered.clear();
    }

    /** Frees the memory that a document with many keys took. */
    void release() {
        if (tags.length > MAX_KEPT_SIZE || altered.capacity() > MAX_KEPT_SIZE) {
            empty();
        }
    }

    private void empty() {
        tags = new long[FIRST_SIZE];
        places = new int[FIRST_SIZE];
        altered = new ByteSink(0);
        serial = 0;
    }

    /** The serial number for a new object. */
    int nextSerial() {
        return ++serial;
    }

    /**
     * Adds the key between {@code from} and {@code to} in {@code text}, where its quote follows; false if it is a repetition.
     *
     * @param document if the text is not kept until the document ends: the document, in which the key starts at {@code at}
     */
    boolean add(int object, byte[] text, int from, int to, byte @Nullable [] document, int at) {
        if (used * 8L >= tags.length * 7L) {
            grow();
        }
        long tag = ((long) object << 32) | (hash(text, from, to) & 0xffffffffL);
        int mask = tags.length - 1;
        int slot = slot(tag, mask);
        while (tags[slot] >>> 32 >= firstSerial) {
            if (tags[slot] == tag && same(document, places[slot], text, from, to)) {
                return false;
            }
            slot = (slot + 1) & mask;
        }
        tags[slot] = tag;
        places[slot] = document == null ? from : place(document, at, text, from, to);
        used++;
        return true;
    }

    /** The location of the key for later comparisons: in the document if unchanged there, otherwise in a copy. */
    private int place(byte[] document, int at, byte[] text, int from, int to) {
        if (isAt(document, at, text, from, to)) {
            return at;
        }
        int place = altered.length();
        altered.put(text, from, to - from);
        altered.put(0);
        return ~place;
    }

    /** Whether these bytes and a zero after them are at {@code at}. */
    private static boolean isAt(byte[] bytes, int at, byte[] text, int from, int to) {
        int end = at + to - from;
        return end < bytes.length && bytes[end] == 0 && Arrays.equals(bytes, at, end, text, from, to);
    }

    private static int slot(long tag, int mask) {
        long mixed = tag * SEED;
        return (int) ((mixed >>> 32) ^ (mixed >>> 20)) & mask;
    }

    private boolean same(byte @Nullable [] document, int place, byte[] text, int from, int to) {
        if (document != null) {
            return isAt(place < 0 ? altered.array() : document, place < 0 ? ~place : place, text, from, to);
        }
        // The closing quote is compared too, because the other key might be longer.
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

    /** Hashes the bytes from {@code from} to before {@code to}, eight at a time, by multiplying and folding. */
    private static int hash(byte[] text, int from, int to) {
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
