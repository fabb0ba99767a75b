package io.pgstress.bson.timeseries;

import io.pgstress.bson.BsonType;
import io.pgstress.bson.Bytes;
import io.pgstress.bson.Elements;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The fields of a document, one after the other. Not thread-safe. */
final class Fields {
    private final byte[] bytes;
    private final int limit;
    private int at;
    private int nameFrom;
    private int from;
    private int type;

    /** Begins at the length of a document, which is valid. */
    Fields(byte[] bytes, int start) {
        this.bytes = bytes;
        limit = start + Bytes.intAt(bytes, start) - 1;
        at = start + Integer.BYTES;
    }

    /** The fields of a value. */
    static Fields of(Element value, String what) throws ColumnException {
        if (value.type() != BsonType.DOCUMENT) {
            throw new ColumnException(what + " is not a document");
        }
        return new Fields(value.bytes(), value.from());
    }

    /** Moves to the next field; false at the end. */
    boolean next() throws ColumnException {
        if (at >= limit) {
            return false;
        }
        type = bytes[at] & 0xff;
        nameFrom = at + 1;
        int nul = Bytes.nulAt(bytes, nameFrom, limit);
        int end = nul < 0 ? -1 : Elements.end(type, bytes, nul + 1, limit);
        if (end < 0) {
            throw new ColumnException("an invalid element");
        }
        from = nul + 1;
        at = end;
        return true;
    }

    byte[] name() {
        return Arrays.copyOfRange(bytes, nameFrom, from - 1);
    }

    String text() {
        return new String(bytes, nameFrom, from - 1 - nameFrom, StandardCharsets.UTF_8);
    }

    boolean isNamed(byte[] name) {
        return Arrays.equals(bytes, nameFrom, from - 1, name, 0, name.length);
    }

    Element value() {
        return new Element(type, bytes, from, at - from);
    }

    /** The value as a whole number; -1 if it is no number. */
    long number() {
        return switch (type) {
            case BsonType.INT32 -> Bytes.intAt(bytes, from);
            case BsonType.INT64 -> Bytes.longAt(bytes, from);
            case BsonType.DOUBLE -> (long) Double.longBitsToDouble(Bytes.longAt(bytes, from));
            default -> -1;
        };
    }
}
