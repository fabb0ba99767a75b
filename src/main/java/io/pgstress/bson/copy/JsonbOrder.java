package io.pgstress.bson.copy;

import io.pgstress.bson.BsonType;
import io.pgstress.bson.Bytes;
import io.pgstress.bson.Elements;
import java.util.Arrays;

/**
 * Puts the elements of a document, and of those in it, into the order in which jsonb keeps keys: shorter ones first, those of one
 * length by their bytes (PostgreSQL's {@code lengthCompareStringValue}). The server sorts each object that it is sent, and has nothing to
 * do where that is done: a measured 4 to 6% of its work. It is a favour and no more: what is large, deep, of many keys or not sound is left
 * as it is. Allocates only to grow; not thread-safe.
 */
final class JsonbOrder {
    /** Larger documents are left as they are, so that the copy takes no memory to speak of. */
    static final int LARGEST = 1 << 20;

    private static final int DEEPEST = 32;
    /** Keys of one document; sorting is by insertion. */
    private static final int MOST = 64;
    /** Bytes of a key that are in its rank. */
    private static final int RANKED = 6;

    private final boolean onlyAscii;
    private byte[] source = {};
    private byte[] ordered = new byte[1 << 12];
    /** Of the elements of all documents that are open: where they start, where their values do, where they end, and their rank. */
    private int[] starts = new int[MOST];

    private int[] values = new int[MOST];
    private int[] ends = new int[MOST];
    private long[] ranks = new long[MOST];
    private int used;
    private boolean distinct;

    /**
     * @param onlyAscii whether documents with other keys are left as they are: where what is not UTF-8 is replaced, keys of other bytes
     *     may become one, of which the input's last counts
     */
    JsonbOrder(boolean onlyAscii) {
        this.onlyAscii = onlyAscii;
    }

    /** Whether {@link #ordered} now has a document of the same size and meaning. */
    boolean order(byte[] bytes, int from, int size) {
        if (size > LARGEST || size < BsonType.MIN_DOCUMENT || Bytes.intAt(bytes, from) != size) {
            return false;
        }
        if (ordered.length < size) {
            ordered = new byte[Math.max(size, 2 * ordered.length)];
        }
        source = bytes;
        used = 0;
        distinct = true;
        return document(from, 0, 1);
    }

    /** Whether it was seen that no object of the document put in order has a key twice: equal ones meet when they are sorted. */
    boolean hasDistinctKeys() {
        return distinct;
    }

    /** The document put in order, from its array's first byte. */
    byte[] ordered() {
        return ordered;
    }

    private boolean document(int at, int to, int depth) {
        int limit = at + Bytes.intAt(source, at) - 1;
        int first = used;
        int count = scan(at + 4, limit);
        if (count < 0) {
            return false;
        }
        if (count > MOST) {
            used = first;
            distinct = false;
            return array(at, to, depth);
        }
        System.arraycopy(source, at, ordered, to, 4);
        int write = to + 4;
        for (int i = first; i < first + count; i++) {
            if (!element(starts[i], values[i], ends[i], write, depth)) {
                return false;
            }
            write += ends[i] - starts[i];
        }
        ordered[write] = source[limit];
        used = first;
        return true;
    }

    private boolean element(int start, int value, int end, int to, int depth) {
        boolean nested = isNested(source[start], depth);
        distinct &= nested || !hasKeys(source[start]);
        System.arraycopy(source, start, ordered, to, (nested ? value : end) - start);
        return !nested || inner(source[start], value, to + value - start, depth + 1);
    }

    private static boolean isNested(int type, int depth) {
        return depth < DEEPEST && (type == BsonType.DOCUMENT || type == BsonType.ARRAY);
    }

    private static boolean hasKeys(int type) {
        return type == BsonType.DOCUMENT || type == BsonType.ARRAY || type == BsonType.CODE_WITH_SCOPE;
    }

    private boolean inner(int type, int at, int to, int depth) {
        return type == BsonType.ARRAY ? array(at, to, depth) : document(at, to, depth);
    }

    /** An array, or a document of many keys: only what is in it is put in order. */
    private boolean array(int at, int to, int depth) {
        int limit = at + Bytes.intAt(source, at) - 1;
        int copied = at;
        int next = at + 4;
        while (next < limit) {
            int key = Bytes.nulAt(source, next + 1, limit);
            int end = key < 0 ? -1 : Elements.end(source[next], source, key + 1, limit);
            if (end < 0) {
                return false;
            }
            if (isNested(source[next], depth)) {
                System.arraycopy(source, copied, ordered, to + copied - at, key + 1 - copied);
                if (!inner(source[next], key + 1, to + key + 1 - at, depth + 1)) {
                    return false;
                }
                copied = end;
            } else {
                distinct &= !hasKeys(source[next]);
            }
            next = end;
        }
        System.arraycopy(source, copied, ordered, to + copied - at, limit + 1 - copied);
        return true;
    }

    /** Enters a document's elements by rank; returns how many there are, one more than {@link #MOST} if too many, -1 if not sound. */
    private int scan(int from, int limit) {
        int first = used;
        int next = from;
        while (next < limit) {
            int key = Bytes.nulAt(source, next + 1, limit);
            int end = key < 0 ? -1 : Elements.end(source[next], source, key + 1, limit);
            if (end < 0 || (onlyAscii && !isAscii(next + 1, key))) {
                return -1;
            }
            if (used - first == MOST) {
                return MOST + 1;
            }
            insert(first, next, key, end);
            next = end;
        }
        return used - first;
    }

    private boolean isAscii(int from, int to) {
        for (int i = from; i < to; i++) {
            if (source[i] < 0) {
                return false;
            }
        }
        return true;
    }

    /** Behind all that are not greater: of keys that are there twice the last stays the last. */
    private void insert(int first, int start, int key, int end) {
        if (used == starts.length) {
            starts = Arrays.copyOf(starts, 2 * used);
            values = Arrays.copyOf(values, 2 * used);
            ends = Arrays.copyOf(ends, 2 * used);
            ranks = Arrays.copyOf(ranks, 2 * used);
        }
        long rank = rank(start + 1, key);
        int i = used++;
        while (i > first && isGreater(i - 1, rank, start, key)) {
            starts[i] = starts[i - 1];
            values[i] = values[i - 1];
            ends[i] = ends[i - 1];
            ranks[i] = ranks[i - 1];
            i--;
        }
        distinct &= i == first || !isSame(i - 1, rank, start, key);
        starts[i] = start;
        values[i] = key + 1;
        ends[i] = end;
        ranks[i] = rank;
    }

    /** A key's length and its first bytes. */
    private long rank(int from, int to) {
        int length = to - from;
        long bytes = 0;
        if (from + Long.BYTES <= source.length) {
            bytes = Long.reverseBytes(Bytes.longAt(source, from)) >>> (64 - 8 * RANKED);
            bytes &= length < RANKED ? -1L << (8 * (RANKED - length)) : -1L;
        } else {
            for (int i = 0; i < RANKED; i++) {
                bytes = (bytes << 8) | (i < length ? source[from + i] & 0xff : 0);
            }
        }
        return ((long) Math.min(length, Short.MAX_VALUE) << (8 * RANKED)) | bytes;
    }

    private boolean isSame(int i, long rank, int start, int key) {
        return ranks[i] == rank && Arrays.equals(source, starts[i] + 1, values[i] - 1, source, start + 1, key);
    }

    private boolean isGreater(int i, long rank, int start, int key) {
        if (ranks[i] != rank) {
            return ranks[i] > rank;
        }
        int length = values[i] - 1 - (starts[i] + 1);
        if (length != key - start - 1) {
            return length > key - start - 1;
        }
        int rest = 1 + RANKED;
        return length > RANKED
                && Arrays.compareUnsigned(source, starts[i] + rest, values[i] - 1, source, start + rest, key) > 0;
    }
}
