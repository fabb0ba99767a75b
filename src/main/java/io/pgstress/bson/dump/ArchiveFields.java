package io.pgstress.bson.dump;

import io.pgstress.bson.BsonException;
import io.pgstress.bson.BsonType;
import io.pgstress.bson.Bytes;
import io.pgstress.bson.Elements;
import java.nio.charset.StandardCharsets;

/** The fields of a small document that belongs to the format of a dump, not to its data. */
final class ArchiveFields {
    private final byte[] bytes;
    private final String label;
    private final long offset;

    /** Wraps a document; label and offset are for messages. */
    ArchiveFields(byte[] bytes, String label, long offset) {
        this.bytes = bytes;
        this.label = label;
        this.offset = offset;
    }

    /** The field's string; empty if it is missing or of another type. */
    String string(String name) throws BsonException {
        int at = find(BsonType.STRING, name);
        return at < 0 ? "" : new String(bytes, at + 4, Bytes.intAt(bytes, at) - 1, StandardCharsets.UTF_8);
    }

    /** Whether the field exists and is true. */
    boolean isTrue(String name) throws BsonException {
        int at = find(BsonType.BOOLEAN, name);
        return at >= 0 && bytes[at] != 0;
    }

    /** The field's number, int32 or int64; {@code fallback} if it is missing. */
    long number(String name, long fallback) throws BsonException {
        int at = find(BsonType.INT64, name);
        if (at >= 0) {
            return Bytes.longAt(bytes, at);
        }
        at = find(BsonType.INT32, name);
        return at < 0 ? fallback : Bytes.intAt(bytes, at);
    }

    private int find(int type, String name) throws BsonException {
        int limit = bytes.length - 1;
        int at = 4;
        while (at < limit) {
            int element = bytes[at] & 0xff;
            int end = Bytes.nulAt(bytes, at + 1, limit);
            int next = end < 0 ? -1 : Elements.end(element, bytes, end + 1, limit);
            if (next < 0) {
                throw new BsonException(
                        label, offset + at, "a valid element of the archive's metadata", "an invalid one");
            }
            if (element == type && name.equals(new String(bytes, at + 1, end - at - 1, StandardCharsets.UTF_8))) {
                return end + 1;
            }
            at = next;
        }
        return -1;
    }
}
