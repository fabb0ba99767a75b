package io.pgstress.bson;

/** The element type bytes of BSON 1.1. */
public final class BsonType {
    public static final int DOUBLE = 0x01;
    public static final int STRING = 0x02;
    public static final int DOCUMENT = 0x03;
    public static final int ARRAY = 0x04;
    public static final int BINARY = 0x05;
    public static final int UNDEFINED = 0x06;
    public static final int OBJECT_ID = 0x07;
    public static final int BOOLEAN = 0x08;
    public static final int DATE = 0x09;
    public static final int NULL = 0x0a;
    public static final int REGEX = 0x0b;
    public static final int DB_POINTER = 0x0c;
    public static final int CODE = 0x0d;
    public static final int SYMBOL = 0x0e;
    public static final int CODE_WITH_SCOPE = 0x0f;
    public static final int INT32 = 0x10;
    public static final int TIMESTAMP = 0x11;
    public static final int INT64 = 0x12;
    public static final int DECIMAL128 = 0x13;
    public static final int MAX_KEY = 0x7f;
    public static final int MIN_KEY = 0xff;

    /** Size of the smallest document: its length and its terminator. */
    public static final int MIN_DOCUMENT = 5;

    /** Maximum size of a document: MongoDB's 16 MiB plus 16 KiB that it allows for internal fields. */
    public static final int MAX_DOCUMENT = 16 * 1024 * 1024 + 16 * 1024;

    private BsonType() {}
}
