package io.pgstress.bson.json;

import io.pgstress.bson.Bytes;

/** Binary data, ObjectIds, and the deprecated pointer that holds one. */
final class BinaryValues {
    private static final byte[] BINARY = Token.of("{'$binary':{'base64':'");
    private static final byte[] SUBTYPE = Token.of("','subType':'");
    private static final byte[] CLOSE_BINARY = Token.of("'}}");
    private static final byte[] OID = Token.of("{'$oid':'");
    private static final byte[] CLOSE_OID = Token.of("'}");
    private static final byte[] DB_POINTER = Token.of("{'$dbPointer':{'$ref':");
    private static final byte[] POINTER_ID = Token.of(",'$id':");
    private static final byte[] CLOSE_POINTER = Token.of("}}");

    /** The old binary subtype, which contains its length a second time. */
    private static final byte OLD_BINARY = 2;

    private BinaryValues() {}

    static int binary(Conversion c, int at) {
        if (!c.holds(at, 5)) {
            return c.fail(Fault.VALUE_END, at);
        }
        int size = Bytes.intAt(c.source, at);
        if (size < 0 || !c.holds(at + 5, size)) {
            return c.fail(Fault.BINARY_LENGTH, at);
        }
        int from = at + 5;
        if (c.source[at + 4] == OLD_BINARY) {
            if (size < 4 || Bytes.intAt(c.source, from) != size - 4) {
                return c.fail(Fault.BINARY_LENGTH, at);
            }
            from += 4;
        }
        int end = at + 5 + size;
        c.out.put(BINARY);
        Encodings.base64(c.source, from, end - from, c.out);
        c.out.put(SUBTYPE);
        Encodings.hex(c.source, at + 4, 1, c.out);
        c.out.put(CLOSE_BINARY);
        return end;
    }

    static int objectId(Conversion c, int at) {
        if (!c.holds(at, 12)) {
            return c.fail(Fault.VALUE_END, at);
        }
        c.out.put(OID);
        Encodings.hex(c.source, at, 12, c.out);
        c.out.put(CLOSE_OID);
        return at + 12;
    }

    static int dbPointer(Conversion c, int at) {
        c.out.put(DB_POINTER);
        int id = c.string(at);
        if (id < 0) {
            return id;
        }
        c.out.put(POINTER_ID);
        int next = objectId(c, id);
        c.out.put(CLOSE_POINTER);
        return next;
    }
}
