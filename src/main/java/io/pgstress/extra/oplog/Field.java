package io.pgstress.extra.oplog;

import io.pgstress.bson.BsonType;
import io.pgstress.bson.Bytes;
import java.nio.charset.StandardCharsets;

/** An element of a BSON document, whose bytes it shares. Immutable as long as they are. */
public final class Field {
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
    public Fields fields() {
        if (type != BsonType.DOCUMENT && type != BsonType.ARRAY) {
            throw new EntryException("a malformed entry", name + " is not a document");
        }
        return Fields.of(bytes, at, end - at);
    }

    /** The elements of a document. */
    public Fields document() {
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
