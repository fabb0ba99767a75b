package io.pgstress.extra.indexes;

import io.pgstress.bson.BsonType;
import io.pgstress.bson.Bytes;

/** Sets of kinds of values, one bit each, as far as they matter for indexes. */
final class Kinds {
    static final int NULL = 1;
    static final int NUMBER = 1 << 1;
    static final int STRING = 1 << 2;
    /** A date that relaxed JSON writes as text. */
    static final int DATE = 1 << 3;

    static final int OTHER_DATE = 1 << 4;
    static final int DOCUMENT = 1 << 5;
    static final int ARRAY = 1 << 6;
    static final int OTHER = 1 << 7;

    /** 10000-01-01T00:00:00Z; see {@link io.pgstress.bson.json.DateText}. */
    private static final long YEAR_10000 = 253_402_300_800_000L;

    private Kinds() {}

    /** The kind of a value of this BSON type. */
    static int of(int type, byte[] bytes, int at) {
        return switch (type) {
            case BsonType.NULL, BsonType.UNDEFINED -> NULL;
            case BsonType.DOUBLE, BsonType.INT32, BsonType.INT64 -> NUMBER;
            case BsonType.STRING, BsonType.SYMBOL -> STRING;
            case BsonType.DATE -> ofDate(Bytes.longAt(bytes, at));
            case BsonType.DOCUMENT -> DOCUMENT;
            case BsonType.ARRAY -> ARRAY;
            default -> OTHER;
        };
    }

    private static int ofDate(long millis) {
        return isText(millis) ? DATE : OTHER_DATE;
    }

    /** Whether relaxed JSON writes this instant, in milliseconds since 1970, as text. */
    static boolean isText(long millis) {
        return millis >= 0 && millis < YEAR_10000;
    }
}
