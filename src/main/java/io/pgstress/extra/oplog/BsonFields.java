package io.pgstress.extra.oplog;

import io.pgstress.bson.BsonType;
import io.pgstress.bson.Bytes;
import io.pgstress.bson.Elements;
import io.pgstress.extra.oplog.BsonFields.Field;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The elements of a BSON document or array, one level deep, in order.
 *
 * @param bytes those of the entry that holds the document, which callers must not modify
 * @param start the index at which the document starts
 * @param size its size in bytes
 */
@SuppressWarnings("ArrayRecordComponent")
record BsonFields(byte[] bytes, int start, int size, List<Field> list) implements Iterable<Field> {
    /**
     * Reads the document of {@code size} bytes at {@code start}.
     *
     * @throws EntryException if it is malformed
     */
    static BsonFields of(byte[] bytes, int start, int size) {
        int limit = start + size - 1;
        if (size < BsonType.MIN_DOCUMENT || Bytes.intAt(bytes, start) != size || bytes[limit] != 0) {
            throw EntryException.malformed("a document with a wrong length");
        }
        List<Field> list = new ArrayList<>();
        int at = start + Integer.BYTES;
        while (at < limit) {
            int nul = Bytes.nulAt(bytes, at + 1, limit);
            int end = nul < 0 ? -1 : Elements.end(bytes[at], bytes, nul + 1, limit);
            if (end < 0) {
                throw EntryException.malformed("an element beyond the end of its document");
            }
            String name = new String(bytes, at + 1, nul - at - 1, StandardCharsets.UTF_8);
            list.add(new Field(name, bytes[at] & 0xff, bytes, nul + 1, end));
            at = end;
        }
        return new BsonFields(bytes, start, size, list);
    }

    /** The first element of this name; null if there is none. */
    @Nullable
    Field find(String name) {
        for (Field each : list) {
            if (each.name().equals(name)) {
                return each;
            }
        }
        return null;
    }

    /**
     * The first element of this name.
     *
     * @throws EntryException if there is none
     */
    Field get(String name) {
        Field found = find(name);
        if (found == null) {
            throw EntryException.malformed("it has no " + name);
        }
        return found;
    }

    /** Whether an element of this name counts as true. */
    boolean isTrue(String name) {
        Field found = find(name);
        return found != null && found.isTrue();
    }

    /** The first element. */
    Field first() {
        if (list.isEmpty()) {
            throw EntryException.malformed("a document without elements");
        }
        return list.get(0);
    }

    /** The number of elements. */
    int count() {
        return list.size();
    }

    @Override
    public Iterator<Field> iterator() {
        return list.iterator();
    }

    /**
     * An element of a BSON document, whose bytes it shares. Immutable as long as they are.
     *
     * @param type the type, as in {@link BsonType}
     * @param bytes the bytes of the entry, which callers must not modify; the value is from {@code at} to before {@code end}
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Field(String name, int type, byte[] bytes, int at, int end) {
        /** The elements of a document or array. */
        BsonFields fields() {
            return type == BsonType.ARRAY ? BsonFields.of(bytes, at, end - at) : document();
        }

        /** The elements of a document. */
        BsonFields document() {
            require(type == BsonType.DOCUMENT, "document");
            return BsonFields.of(bytes, at, end - at);
        }

        private void require(boolean fits, String what) {
            if (!fits) {
                throw EntryException.malformed(name + " is not a " + what);
            }
        }

        boolean isString() {
            return type == BsonType.STRING;
        }

        /** The value of a string. */
        String string() {
            require(isString(), "string");
            return new String(bytes, at + Integer.BYTES, end - at - Integer.BYTES - 1, StandardCharsets.UTF_8);
        }

        /** The value of a number without a fraction. */
        long number() {
            return switch (type) {
                case BsonType.INT32 -> Bytes.intAt(bytes, at);
                case BsonType.INT64, BsonType.TIMESTAMP -> Bytes.longAt(bytes, at);
                case BsonType.DOUBLE -> (long) Double.longBitsToDouble(Bytes.longAt(bytes, at));
                default -> throw EntryException.malformed(name + " is not a number");
            };
        }

        /** Whether it counts as true: any value but false, 0 and null. */
        boolean isTrue() {
            return switch (type) {
                case BsonType.BOOLEAN -> bytes[at] != 0;
                case BsonType.INT32, BsonType.INT64, BsonType.DOUBLE -> number() != 0;
                case BsonType.NULL, BsonType.UNDEFINED -> false;
                default -> true;
            };
        }
    }
}
