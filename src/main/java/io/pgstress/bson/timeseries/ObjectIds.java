package io.pgstress.bson.timeseries;

import io.pgstress.bson.BsonType;

/** ObjectIds as numbers of 56 bits: the bytes of the time and of the counter, those that change most often lowest. */
final class ObjectIds {
    /** The indexes of the bytes, lowest first; the other five are of the process. */
    private static final int[] ORDER = {11, 3, 10, 2, 9, 1, 0};

    private static final int LENGTH = 12;

    private ObjectIds() {}

    static long number(byte[] bytes, int from) {
        long number = 0;
        for (int i = 0; i < ORDER.length; i++) {
            number |= (bytes[from + ORDER[i]] & 0xffL) << (8 * i);
        }
        return number;
    }

    /** The ObjectId with this number, and with the process of another one. */
    static Element value(long number, Element like) {
        byte[] bytes = new byte[LENGTH];
        System.arraycopy(like.bytes(), like.from(), bytes, 0, LENGTH);
        for (int i = 0; i < ORDER.length; i++) {
            bytes[ORDER[i]] = (byte) (number >>> (8 * i));
        }
        return Element.of(BsonType.OBJECT_ID, bytes);
    }
}
