package io.pgstress.bson;

import java.util.Arrays;

/** Skips the elements of a document without decoding them; allocates nothing and validates every length. */
public final class Elements {
    private static final int UNKNOWN = -1;
    private static final int VARIABLE = -2;
    private static final int MIN_CODE_WITH_SCOPE = 4 + 5 + BsonType.MIN_DOCUMENT;
    private static final byte[] SIZES = sizes();

    private Elements() {}

    private static byte[] sizes() {
        byte[] sizes = new byte[256];
        Arrays.fill(sizes, (byte) UNKNOWN);
        int[][] fixed = {
            {BsonType.DOUBLE, 8},
            {BsonType.UNDEFINED, 0},
            {BsonType.OBJECT_ID, 12},
            {BsonType.BOOLEAN, 1},
            {BsonType.DATE, 8},
            {BsonType.NULL, 0},
            {BsonType.INT32, 4},
            {BsonType.TIMESTAMP, 8},
            {BsonType.INT64, 8},
            {BsonType.DECIMAL128, 16},
            {BsonType.MAX_KEY, 0},
            {BsonType.MIN_KEY, 0}
        };
        for (int[] each : fixed) {
            sizes[each[0]] = (byte) each[1];
        }
        int[] variable = {
            BsonType.STRING,
            BsonType.DOCUMENT,
            BsonType.ARRAY,
            BsonType.BINARY,
            BsonType.REGEX,
            BsonType.DB_POINTER,
            BsonType.CODE,
            BsonType.SYMBOL,
            BsonType.CODE_WITH_SCOPE
        };
        for (int each : variable) {
            sizes[each] = VARIABLE;
        }
        return sizes;
    }

    /** The size of every value of this type; negative if it varies or the type is unknown. */
    public static int fixedSize(int type) {
        return SIZES[type & 0xff];
    }

    /**
     * The index after the value of this type at {@code at}; -1 if the type is unknown or the value would extend beyond {@code
     * limit}, the index of its document's terminator.
     */
    public static int end(int type, byte[] bytes, int at, int limit) {
        int size = SIZES[type & 0xff];
        if (size >= 0) {
            return size <= limit - at ? at + size : -1;
        }
        return size == UNKNOWN ? -1 : variableEnd(type & 0xff, bytes, at, limit);
    }

    private static int variableEnd(int type, byte[] bytes, int at, int limit) {
        if (type == BsonType.REGEX) {
            int pattern = Bytes.nulAt(bytes, at, limit);
            int options = pattern < 0 ? -1 : Bytes.nulAt(bytes, pattern + 1, limit);
            return options < 0 ? -1 : options + 1;
        }
        if (limit - at < 4) {
            return -1;
        }
        long length = Bytes.intAt(bytes, at);
        long end = switch (type) {
            case BsonType.DOCUMENT, BsonType.ARRAY -> length < BsonType.MIN_DOCUMENT ? -1 : at + length;
            case BsonType.CODE_WITH_SCOPE -> length < MIN_CODE_WITH_SCOPE ? -1 : at + length;
            case BsonType.BINARY -> length < 0 ? -1 : at + 5 + length;
            case BsonType.DB_POINTER -> length < 1 ? -1 : at + 4 + length + 12;
            default -> length < 1 ? -1 : at + 4 + length;
        };
        return end > limit ? -1 : (int) end;
    }
}
