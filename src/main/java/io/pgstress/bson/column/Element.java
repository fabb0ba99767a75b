package io.pgstress.bson.column;

import io.pgstress.bson.ByteSink;
import io.pgstress.bson.Bytes;

/**
 * A BSON value without a name. It refers to the array that it is in, which must not be changed.
 *
 * @param type the type, as in {@link io.pgstress.bson.BsonType}
 * @param from where the value begins in {@code bytes}
 */
public record Element(int type, byte[] bytes, int from, int length) {
    /** A value that is all of an array. */
    static Element of(int type, byte[] value) {
        return new Element(type, value, 0, value.length);
    }

    /** A value of eight bytes. */
    static Element of(int type, long value) {
        byte[] bytes = new byte[Long.BYTES];
        Bytes.putLong(bytes, 0, value);
        return of(type, bytes);
    }

    /** Appends an element with this value to a document. */
    public void write(byte[] name, ByteSink out) {
        out.put(type);
        out.put(name);
        out.put(0);
        out.put(bytes, from, length);
    }

    long longValue() {
        return Bytes.longAt(bytes, from);
    }
}
