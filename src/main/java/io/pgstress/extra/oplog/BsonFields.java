package io.pgstress.extra.oplog;

import io.pgstress.bson.BsonType;
import io.pgstress.bson.Bytes;
import io.pgstress.bson.Elements;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The elements of a BSON document or array, one level deep, in order. */
public final class BsonFields implements Iterable<BsonFields.Field> {
    private final byte[] bytes;
    private final int start;
    private final int size;
    private final List<Field> list;

    private BsonFields(byte[] bytes, int start, int size, List<Field> list) {
        this.bytes = bytes;
        this.start = start;
        this.size = size;
        this.list = list;
    }

    /**
     * Reads the document of {@code size} bytes at {@code start}.
     *
     * @throws EntryException if it is malformed
     */
    public static BsonFields of(byte[] bytes, int start, int size) {
        int limit = start + size - 1;
        if (size < BsonType.MIN_DOCUMENT || Bytes.intAt(bytes, start) != size || bytes[limit] != 0) {
            throw new EntryException("a malformed entry", "a document with a wrong length");
        }
        List<Field> list = new ArrayList<>();
        int at = start + Integer.BYTES;
        while (at < limit) {
            int nul = Bytes.nulAt(bytes, at + 1, limit);
            int end = nul < 0 ? -1 : Elements.end(bytes[at], bytes, nul + 1, limit);
            if (end < 0) {
                throw new EntryException("a malformed entry", "an element beyond the end of its document");
            }
            String name = new String(bytes, at + 1, nul - at - 1, StandardCharsets.UTF_8);
            list.add(new Field(name, bytes[at] & 0xff, bytes, nul + 1, end));
            at = end;
        }
        return new BsonFields(bytes, start, size, list);
    }

    /** The bytes of the entry that holds the document. Callers must not modify them. */
    public byte[] bytes() {
        return bytes;
    }

    /** The index at which the document starts. */
    public int start() {
        return start;
    }

    /** The size of the document in bytes. */
    public int size() {
        return size;
    }

    /** The first element of this name; null if there is none. */
    public @Nullable Field find(String name) {
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
    public Field get(String name) {
        Field found = find(name);
        if (found == null) {
            throw new EntryException("a malformed entry", "it has no " + name);
        }
        return found;
    }

    /** Whether an element of this name counts as true. */
    public boolean isTrue(String name) {
        Field found = find(name);
        return found != null && found.isTrue();
    }

    /** The first element. */
    public Field first() {
        if (list.isEmpty()) {
            throw new EntryException("a malformed entry", "a document without elements");
        }
        return list.get(0);
    }

    /** The number of elements. */
    public int count() {
        return list.size();
    }

    @Override
    public Iterator<Field> iterator() {
        return list.iterator();
    }

    /** An element of a BSON document, whose bytes it shares. Immutable as long as they are. */
    public static final class Field {
        private final String name;
        private final int type;
        private final byte[] bytes;
        private final int at;
        private final int end;

        Field(String name, int type, byte[] bytes, int at, int end) {
            this.name = name;
            this.type = type;
            this.bytes = bytes;
            this.at = at;
            this.end = end;
        }

        public String name() {
            return name;
        }

        /** The type, as in {@link BsonType}. */
        public int type() {
            return type;
        }

        /** The bytes of the entry; the value is from {@link #at} to before {@link #end}. Callers must not modify them. */
        public byte[] bytes() {
            return bytes;
        }

        public int at() {
            return at;
        }

        public int end() {
            return end;
        }

        /** The elements of a document or array. */
        public BsonFields fields() {
            if (type != BsonType.DOCUMENT && type != BsonType.ARRAY) {
                throw new EntryException("a malformed entry", name + " is not a document");
            }
            return BsonFields.of(bytes, at, end - at);
        }

        /** The elements of a document. */
        public BsonFields document() {
            if (type != BsonType.DOCUMENT) {
                throw new EntryException("a malformed entry", name + " is not a document");
            }
            return fields();
        }

        /** The value of a string. */
        public String string() {
            if (type != BsonType.STRING) {
                throw new EntryException("a malformed entry", name + " is not a string");
            }
            return new String(bytes, at + Integer.BYTES, end - at - Integer.BYTES - 1, StandardCharsets.UTF_8);
        }

        /** The value of a number without a fraction. */
        public long number() {
            return switch (type) {
                case BsonType.INT32 -> Bytes.intAt(bytes, at);
                case BsonType.INT64, BsonType.TIMESTAMP -> Bytes.longAt(bytes, at);
                case BsonType.DOUBLE -> (long) Double.longBitsToDouble(Bytes.longAt(bytes, at));
                default -> throw new EntryException("a malformed entry", name + " is not a number");
            };
        }

        /** Whether it counts as true: any value but false, 0 and null. */
        public boolean isTrue() {
            return switch (type) {
                case BsonType.BOOLEAN -> bytes[at] != 0;
                case BsonType.INT32, BsonType.INT64, BsonType.DOUBLE -> number() != 0;
                case BsonType.NULL, BsonType.UNDEFINED -> false;
                default -> true;
            };
        }
    }
}
