package io.pgstress.bson.timeseries;

import io.pgstress.bson.BsonType;
import io.pgstress.bson.Bytes;

/**
 * Strings and binary values of up to 16 bytes as numbers of 128 bits. The first byte of a binary value and the last byte of a
 * string are the lowest.
 */
final class ShortText {
    private static final int MAX = 16;
    /** Bytes of a value before its contents: a string's length, or a binary value's length and subtype. */
    private static final int STRING_AT = 4;

    private static final int BINARY_AT = 5;

    private ShortText() {}

    /** The number's bytes, lowest first; zero for a value that cannot be a number. */
    static byte[] number(Element value) {
        byte[] number = new byte[MAX];
        boolean binary = value.type() == BsonType.BINARY;
        int at = value.from() + (binary ? BINARY_AT : STRING_AT);
        int size = Bytes.intAt(value.bytes(), value.from()) - (binary ? 0 : 1);
        if (size > MAX || (!binary && size > 0 && value.bytes()[at] == 0)) {
            return number;
        }
        for (int i = 0; i < size; i++) {
            number[i] = value.bytes()[binary ? at + i : at + size - 1 - i];
        }
        return number;
    }

    /**
     * The value with these contents.
     *
     * @param like the value before, whose type it has, and whose length and subtype if it is binary
     */
    static Element value(long low, long high, Element like) throws ColumnException {
        byte[] number = new byte[MAX];
        Bytes.putLong(number, 0, low);
        Bytes.putLong(number, Long.BYTES, high);
        return like.type() == BsonType.BINARY ? binary(number, like) : string(number, like.type());
    }

    private static Element binary(byte[] number, Element like) throws ColumnException {
        int size = like.length() - BINARY_AT;
        if (size > MAX) {
            throw new ColumnException("a difference to a binary value of " + size + " bytes");
        }
        byte[] bytes = new byte[like.length()];
        System.arraycopy(like.bytes(), like.from(), bytes, 0, BINARY_AT);
        System.arraycopy(number, 0, bytes, BINARY_AT, size);
        return Element.of(like.type(), bytes);
    }

    private static Element string(byte[] number, int type) {
        int size = MAX;
        while (size > 0 && number[size - 1] == 0) {
            size--;
        }
        byte[] bytes = new byte[STRING_AT + size + 1];
        Bytes.putInt(bytes, 0, size + 1);
        for (int i = 0; i < size; i++) {
            bytes[STRING_AT + i] = number[size - 1 - i];
        }
        return Element.of(type, bytes);
    }
}
