package io.pgstress.bson.json;

import io.pgstress.bson.BsonType;
import io.pgstress.bson.Bytes;
import io.pgstress.bson.Elements;
import io.pgstress.bson.json.KeyKinds.KeyKind;

/**
 * Finds the {@code _id} of a document, the first if there are several. MongoDB stores it as the first element; if it is not,
 * the elements before it are skipped. Allocates nothing; not thread-safe.
 */
public final class KeyFinder {
    private static final int ID = '_' | 'i' << 8 | 'd' << 16;
    private static final int ID_SIZE = 4;

    private int type;
    private int at;

    /** Whether the document of {@code size} bytes at {@code from} has a complete {@code _id}. */
    public boolean find(byte[] bytes, int from, int size) {
        return find(bytes, from, size, false);
    }

    /** Like {@link #find}, but finds the last {@code _id}, as jsonb does; visits all elements. */
    public boolean findLast(byte[] bytes, int from, int size) {
        return find(bytes, from, size, true);
    }

    private boolean find(byte[] bytes, int from, int size, boolean last) {
        boolean found = false;
        int limit = from + size - 1;
        int element = from + 4;
        while (element < limit) {
            int name = element + 1;
            int end = isId(bytes, name, limit) ? name + ID_SIZE - 1 : Bytes.nulAt(bytes, name, limit);
            int next = end < 0 ? -1 : Elements.end(bytes[element], bytes, end + 1, limit);
            if (next < 0) {
                return found;
            }
            if (isId(bytes, name, limit)) {
                type = bytes[element] & 0xff;
                at = end + 1;
                found = true;
                if (!last) {
                    return true;
                }
            }
            element = next;
        }
        return found;
    }

    private static boolean isId(byte[] bytes, int name, int limit) {
        return limit - name >= ID_SIZE && Bytes.intAt(bytes, name) == ID;
    }

    /** The type of the value found. */
    public int type() {
        return type;
    }

    /** The index at which the value found starts. */
    public int at() {
        return at;
    }

    /** The kind of the value found. */
    public KeyKind kind(byte[] bytes) {
        return KeyKind.of(type, bytes, at);
    }

    /** Adds the kind of the document's key, if it has one; the last if there are several, as jsonb keeps that one. */
    public void see(byte[] bytes, int from, int size, KeyKinds kinds) {
        if (size >= BsonType.MIN_DOCUMENT && findLast(bytes, from, size)) {
            kinds.add(kind(bytes));
        }
    }
}
