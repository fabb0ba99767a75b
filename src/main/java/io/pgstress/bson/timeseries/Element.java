package io.pgstress.bson.timeseries;

import io.pgstress.bson.ByteSink;
import io.pgstress.bson.Bytes;

/** A BSON value without a name. It refers to the array that it is in, which must not be changed. Immutable. */
public final class Element {
    private final int type;
    private final byte[] bytes;
    private final int from;
    private final int length;

    /**
     * @param type the type, as in {@link io.pgstress.bson.BsonType}
     * @param from where the value begins in {@code bytes}
     */
    public Element(int type, byte[] bytes, int from, int length) {
        this.type = type;
        this.bytes = bytes;
        this.from = from;
        this.length = length;
    }

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

    public int type() {
        return type;
    }

    /** The array that has the value. */
    public byte[] bytes() {
        return bytes;
    }

    /** Where the value begins in {@link #bytes}. */
    public int from() {
        return from;
    }

    int length() {
        return length;
    }

    long longValue() {
        return Bytes.longAt(bytes, from);
    }

    /** Appends an element with this name and value to a document. */
    public void write(byte[] name, ByteSink out) {
        out.put(type);
        out.put(name);
        out.put(0);
        out.put(bytes, from, length);
    }
}
