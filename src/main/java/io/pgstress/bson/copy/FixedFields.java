package io.pgstress.bson.copy;

import io.pgstress.bson.ByteSink;
import io.pgstress.bson.Bytes;
import io.pgstress.bson.json.DateText;
import io.pgstress.bson.json.Encodings;
import io.pgstress.bson.json.Fault;
import io.pgstress.bson.json.KeyKinds.KeyKind;
import io.pgstress.bson.json.Timestamps;
import org.jspecify.annotations.Nullable;

/** Fields of type uuid and timestamptz, whose values have a fixed size. */
final class FixedFields {
    private static final int[] UUID_GROUPS = {4, 2, 2, 2, 6};

    private FixedFields() {}

    static @Nullable Fault uuidText(int type, byte[] bytes, int at, int limit, ByteSink out) {
        if (KeyKind.of(type, bytes, at) != KeyKind.UUID) {
            return Fault.KEY_NOT_FITTING;
        }
        int from = at + 5;
        for (int group : UUID_GROUPS) {
            if (from > at + 5) {
                out.put('-');
            }
            Encodings.hex(bytes, from, group, out);
            from += group;
        }
        return null;
    }

    static @Nullable Fault uuidBinary(int type, byte[] bytes, int at, int limit, ByteSink out) {
        if (KeyKind.of(type, bytes, at) != KeyKind.UUID) {
            return Fault.KEY_NOT_FITTING;
        }
        out.put(bytes, at + 5, 16);
        return null;
    }

    static @Nullable Fault timestampText(int type, byte[] bytes, int at, int limit, ByteSink out) {
        if (KeyKind.of(type, bytes, at) != KeyKind.DATE) {
            return Fault.KEY_NOT_FITTING;
        }
        DateText.sql(Bytes.longAt(bytes, at), out);
        return null;
    }

    static @Nullable Fault timestampBinary(int type, byte[] bytes, int at, int limit, ByteSink out) {
        if (KeyKind.of(type, bytes, at) != KeyKind.DATE) {
            return Fault.KEY_NOT_FITTING;
        }
        out.putLong(Timestamps.micros(Bytes.longAt(bytes, at)));
        return null;
    }
}
