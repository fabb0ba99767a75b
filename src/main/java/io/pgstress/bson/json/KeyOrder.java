package io.pgstress.bson.json;

import io.pgstress.bson.Bytes;
import io.pgstress.bson.Elements;
import java.util.Arrays;

/**
 * The elements of open objects in jsonb's key order: by length, then by bytes (PostgreSQL's {@code lengthCompareStringValue}).
 * Sorting here saves the server a measured 4 to 6% of its work. It is optional: an object with many keys, or a malformed one,
 * is left unsorted. Allocates only to grow; not thread-safe.
 */
final class KeyOrder {
    /** Maximum number of keys of an object; it is sorted by insertion. */
    private static final int MAX_KEYS = 64;
    /** Maximum number of elements of all open objects; bounds memory for deep nesting. */
    private static final int MAX_OPEN = 1 << 14;
    /** Number of a key's bytes in its rank. */
    private static final int RANK_BYTES = 6;

    private final boolean onlyAscii;
    /** For the elements of all open objects: the start of each, the start of its value, and its rank. */
    private int[] starts = new int[MAX_KEYS];

    private int[] values = new int[MAX_KEYS];
    private long[] ranks = new long[MAX_KEYS];
    private int used;
    private boolean distinct;

    /**
     * @param onlyAscii whether to leave objects with non-ASCII keys unsorted: if invalid UTF-8 is replaced, different keys may
     *     become equal, and the last in the input counts
     */
    KeyOrder(boolean onlyAscii) {
        this.onlyAscii = onlyAscii;
    }

    /** Removes all elements from this one on, when their object is closed. */
    void forget(int first) {
        used = first;
    }

    /** The number of the next element to be entered. */
    int used() {
        return used;
    }

    /** The index at which this element starts. */
    int start(int element) {
        return starts[element];
    }

    /** The index at which this element's value starts. */
    int value(int element) {
        return values[element];
    }

    /** Whether the keys of the object entered last are distinct. */
    boolean isDistinct() {
        return distinct;
    }

    /** Enters the elements of an object from {@code from} to its end; false, with none entered, if it is to stay unsorted. */
    boolean enter(byte[] source, int from, int limit) {
        int first = used;
        distinct = true;
        int next = from;
        while (next < limit) {
            int key = Bytes.nulAt(source, next + 1, limit);
            int end = key < 0 ? -1 : Elements.end(source[next], source, key + 1, limit);
            boolean many = used - first == MAX_KEYS || used == MAX_OPEN;
            if (end < 0 || many || (onlyAscii && !isAscii(source, next + 1, key))) {
                used = first;
                return false;
            }
            insert(source, first, next, key);
            next = end;
        }
        return true;
    }

    static boolean isAscii(byte[] source, int from, int to) {
        for (int i = from; i < to; i++) {
            if (source[i] < 0) {
                return false;
            }
        }
        return true;
    }

    /** Inserts an element after all that are not greater, so that the last of equal keys stays last. */
    private void insert(byte[] source, int first, int start, int key) {
        if (used == starts.length) {
            starts = Arrays.copyOf(starts, 2 * used);
            values = Arrays.copyOf(values, 2 * used);
            ranks = Arrays.copyOf(ranks, 2 * used);
        }
        long rank = rank(source, start + 1, key);
        int i = used++;
        while (i > first && ranks[i - 1] >= rank && isGreater(source, i - 1, rank, start, key)) {
            starts[i] = starts[i - 1];
            values[i] = values[i - 1];
            ranks[i] = ranks[i - 1];
            i--;
        }
        distinct &= i == first || ranks[i - 1] != rank || !isSame(source, i - 1, start, key);
        starts[i] = start;
        values[i] = key + 1;
        ranks[i] = rank;
    }

    /** A key's length and its first bytes. */
    private static long rank(byte[] source, int from, int to) {
        int length = to - from;
        long bytes = 0;
        if (from + Long.BYTES <= source.length) {
            bytes = Long.reverseBytes(Bytes.longAt(source, from)) >>> (64 - 8 * RANK_BYTES);
            bytes &= length < RANK_BYTES ? -1L << (8 * (RANK_BYTES - length)) : -1L;
        } else {
            for (int i = 0; i < RANK_BYTES; i++) {
                bytes = (bytes << 8) | (i < length ? source[from + i] & 0xff : 0);
            }
        }
        return ((long) Math.min(length, Short.MAX_VALUE) << (8 * RANK_BYTES)) | bytes;
    }

    private boolean isSame(byte[] source, int i, int start, int key) {
        return Arrays.equals(source, starts[i] + 1, values[i] - 1, source, start + 1, key);
    }

    private boolean isGreater(byte[] source, int i, long rank, int start, int key) {
        if (ranks[i] != rank) {
            return ranks[i] > rank;
        }
        int length = values[i] - 1 - (starts[i] + 1);
        if (length != key - start - 1) {
            return length > key - start - 1;
        }
        int rest = 1 + RANK_BYTES;
        return length > RANK_BYTES
                && Arrays.compareUnsigned(source, starts[i] + rest, values[i] - 1, source, start + rest, key) > 0;
    }
}
