package io.pgstress.bson.copy;

import io.pgstress.bson.BsonType;
import io.pgstress.bson.Bytes;
import io.pgstress.bson.Elements;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Finds the value at a path of documents, without decoding anything else. Of fields that repeat a name the last one counts, as
 * in jsonb. Finds nothing in malformed documents. Allocates nothing; not thread-safe.
 */
final class PathFinder {
    private static final int NONE = -1;

    private final byte[][] names;
    private final int[] positions;
    private int type;
    private int at;
    private int limit;

    PathFinder(FieldPath path) {
        names = path.names().stream()
                .map(name -> name.getBytes(StandardCharsets.UTF_8))
                .toArray(byte[][]::new);
        positions = path.names().stream()
                .mapToInt(name -> name.matches("[0-9]{1,9}") ? Integer.parseInt(name) : NONE)
                .toArray();
    }

    /** Whether the document of {@code size} bytes at {@code from} has a value there. */
    boolean find(byte[] bytes, int from, int size) {
        type = BsonType.DOCUMENT;
        at = from;
        limit = from + size;
        for (int i = 0; i < names.length; i++) {
            boolean found = (type == BsonType.DOCUMENT && field(bytes, names[i]))
                    || (type == BsonType.ARRAY && positions[i] >= 0 && element(bytes, positions[i]));
            if (!found) {
                return false;
            }
        }
        return true;
    }

    /** Whether the last search ended at an array whose elements the path does not number. */
    boolean endsAtArray() {
        return type == BsonType.ARRAY;
    }

    private boolean field(byte[] bytes, byte[] wanted) {
        int end = containerEnd(bytes);
        int element = at + Integer.BYTES;
        int foundType = NONE;
        int foundAt = 0;
        while (element < end) {
            int name = element + 1;
            int nameEnd = Bytes.nulAt(bytes, name, end);
            int next = nameEnd < 0 ? NONE : Elements.end(bytes[element], bytes, nameEnd + 1, end);
            if (next < 0) {
                break;
            }
            if (Arrays.equals(bytes, name, nameEnd, wanted, 0, wanted.length)) {
                foundType = bytes[element] & 0xff;
                foundAt = nameEnd + 1;
            }
            element = next;
        }
        return foundType != NONE && enter(foundType, foundAt, end);
    }

    private boolean element(byte[] bytes, int position) {
        int end = containerEnd(bytes);
        int element = at + Integer.BYTES;
        for (int i = 0; element < end; i++) {
            int nameEnd = Bytes.nulAt(bytes, element + 1, end);
            int next = nameEnd < 0 ? NONE : Elements.end(bytes[element], bytes, nameEnd + 1, end);
            if (next < 0) {
                break;
            }
            if (i == position) {
                return enter(bytes[element] & 0xff, nameEnd + 1, end);
            }
            element = next;
        }
        type = BsonType.NULL; // the array has no such element
        return false;
    }

    private boolean enter(int itsType, int value, int end) {
        type = itsType;
        at = value;
        limit = end;
        return true;
    }

    /** Index of the terminator of the document or array that was found last. */
    private int containerEnd(byte[] bytes) {
        return Math.min(limit, at + Bytes.intAt(bytes, at)) - 1;
    }

    /** The type of the value found. */
    int type() {
        return type;
    }

    /** The index at which the value found starts. */
    int at() {
        return at;
    }

    /** An index at which, or before which, the value found ends. */
    int limit() {
        return limit;
    }
}
