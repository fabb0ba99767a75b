package io.pgstress.bson.copy;

import io.pgstress.bson.BsonType;
import io.pgstress.bson.ByteSink;
import io.pgstress.bson.Bytes;
import io.pgstress.bson.json.DocumentConverter;
import io.pgstress.bson.json.Encodings;
import io.pgstress.bson.json.Escapes;
import io.pgstress.bson.json.Fault;
import io.pgstress.bson.json.JsonOptions;
import io.pgstress.bson.json.Reject;
import io.pgstress.bson.json.Text;
import io.pgstress.bson.json.Timestamps;
import org.jspecify.annotations.Nullable;

/** Writes values of documents as contents of fields in COPY's binary format. Not thread-safe. */
final class TypedFields {
    private static final int JSONB_VERSION = 1;
    private static final long DAY_MILLIS = 86_400_000L;
    /** Days from 1970 to 2000, PostgreSQL's first day. */
    private static final int EPOCH_2000 = 10_957;

    private final Text strings;
    private final DocumentConverter json;

    private TypedFields(JsonOptions options) {
        strings = new Text(Escapes.NONE, options.nul(), options.utf8());
        json = new DocumentConverter(options, Escapes.JSON);
    }

    /** The writer of fields of this type. It returns {@link Fault#COLUMN_NOT_FITTING} for a value that does not fit. */
    static KeyField of(FieldType type, JsonOptions options) {
        return switch (type) {
            case TEXT -> new TypedFields(options)::text;
            case INT -> new NumberFields()::integer;
            case BIGINT -> new NumberFields()::bigint;
            case DOUBLE -> new NumberFields()::doublePrecision;
            case NUMERIC -> new NumberFields()::numeric;
            case BOOLEAN -> TypedFields::bool;
            case TIMESTAMPTZ -> TypedFields::timestamp;
            case DATE -> TypedFields::date;
            case UUID -> TypedFields::uuid;
            case JSONB -> new TypedFields(options)::jsonb;
        };
    }

    private @Nullable Fault text(int type, byte[] bytes, int at, int limit, ByteSink out) {
        if (type == BsonType.OBJECT_ID) {
            Encodings.hex(bytes, at, 12, out);
            return null;
        }
        if (type != BsonType.STRING && type != BsonType.SYMBOL) {
            return Fault.COLUMN_NOT_FITTING;
        }
        int end = at + Integer.BYTES + Bytes.intAt(bytes, at) - 1;
        return strings.write(bytes, at + Integer.BYTES, end, out) ? null : Fault.INVALID_UTF8;
    }

    private @Nullable Fault jsonb(int type, byte[] bytes, int at, int limit, ByteSink out) {
        out.put(JSONB_VERSION);
        if (json.value(type, bytes, at, at, limit, out)) {
            return null;
        }
        Reject reject = json.reject();
        return reject == null ? Fault.VALUE_END : reject.fault();
    }

    private static @Nullable Fault bool(int type, byte[] bytes, int at, int limit, ByteSink out) {
        if (type != BsonType.BOOLEAN) {
            return Fault.COLUMN_NOT_FITTING;
        }
        out.put(bytes[at]);
        return null;
    }

    private static @Nullable Fault timestamp(int type, byte[] bytes, int at, int limit, ByteSink out) {
        return fitting(FixedFields.timestampBinary(type, bytes, at, limit, out));
    }

    private static @Nullable Fault uuid(int type, byte[] bytes, int at, int limit, ByteSink out) {
        return fitting(FixedFields.uuidBinary(type, bytes, at, limit, out));
    }

    private static @Nullable Fault fitting(@Nullable Fault ofKey) {
        return ofKey == null ? null : Fault.COLUMN_NOT_FITTING;
    }

    private static @Nullable Fault date(int type, byte[] bytes, int at, int limit, ByteSink out) {
        if (type != BsonType.DATE || !Timestamps.holds(Bytes.longAt(bytes, at))) {
            return Fault.COLUMN_NOT_FITTING;
        }
        out.putInt((int) (Math.floorDiv(Bytes.longAt(bytes, at), DAY_MILLIS) - EPOCH_2000));
        return null;
    }
}
