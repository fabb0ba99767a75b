package io.pgstress.bson.json;

import io.pgstress.bson.BsonType;
import io.pgstress.bson.Bytes;

/**
 * What becomes of binary values of subtype 3 with 16 bytes: UUIDs in the byte order of the driver that wrote them, which the
 * documents do not name. The other orders make them UUIDs of subtype 4, whose order is that of RFC 9562.
 */
public enum LegacyUuids {
    /** They stay binary values of subtype 3. */
    KEEP(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15),
    /** Each half is a little-endian number of eight bytes. */
    JAVA(7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8),
    /** The first three groups are little-endian. */
    CSHARP(3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15),
    /** In order. */
    PYTHON(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);

    /** The number of bytes of a UUID. */
    public static final int SIZE = 16;

    private static final byte OLD_SUBTYPE = 3;

    /** Where each byte of the UUID is in the value; never modified. */
    @SuppressWarnings("ImmutableEnumChecker")
    private final int[] order;

    LegacyUuids(int... order) {
        this.order = order;
    }

    /** Whether the value of this type, which must be complete, is an old UUID. */
    public static boolean isAt(int type, byte[] bytes, int at) {
        return type == BsonType.BINARY && bytes[at + Integer.BYTES] == OLD_SUBTYPE && Bytes.intAt(bytes, at) == SIZE;
    }

    /** Whether the value becomes a UUID. */
    public boolean converts(int type, byte[] bytes, int at) {
        return this != KEEP && isAt(type, bytes, at);
    }

    /** Writes the UUID whose bytes begin here in the order of subtype 4. */
    public void write(byte[] bytes, int from, byte[] target, int to) {
        for (int i = 0; i < SIZE; i++) {
            target[to + i] = bytes[from + order[i]];
        }
    }
}
