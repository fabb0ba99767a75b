package io.pgstress.bson.copy;

import io.pgstress.bson.BsonType;
import io.pgstress.bson.ByteSink;
import io.pgstress.bson.Bytes;
import io.pgstress.bson.json.Decimals;
import io.pgstress.bson.json.Fault;
import org.jspecify.annotations.Nullable;

/**
 * Fields of type int and bigint. An int64, or a double without a fraction, fits an int if its value does: to MongoDB 1 and 1.0
 * are the same {@code _id}.
 */
final class IntegerFields {
    private static final double TWO_POW_63 = 0x1p63;

    private IntegerFields() {}

    static @Nullable Fault intText(int type, byte[] bytes, int at, int limit, ByteSink out) {
        return isInt(type, bytes, at) ? write(value(type, bytes, at), out) : Fault.KEY_NOT_FITTING;
    }

    static @Nullable Fault bigintText(int type, byte[] bytes, int at, int limit, ByteSink out) {
        return isLong(type, bytes, at) ? write(value(type, bytes, at), out) : Fault.KEY_NOT_FITTING;
    }

    static @Nullable Fault intBinary(int type, byte[] bytes, int at, int limit, ByteSink out) {
        if (!isInt(type, bytes, at)) {
            return Fault.KEY_NOT_FITTING;
        }
        out.putInt((int) value(type, bytes, at));
        return null;
    }

    static @Nullable Fault bigintBinary(int type, byte[] bytes, int at, int limit, ByteSink out) {
        if (!isLong(type, bytes, at)) {
            return Fault.KEY_NOT_FITTING;
        }
        out.putLong(value(type, bytes, at));
        return null;
    }

    private static @Nullable Fault write(long value, ByteSink out) {
        Decimals.write(value, out);
        return null;
    }

    private static boolean isInt(int type, byte[] bytes, int at) {
        return isLong(type, bytes, at) && (int) value(type, bytes, at) == value(type, bytes, at);
    }

    /** Whether the value is a number that a long can represent exactly. */
    static boolean isLong(int type, byte[] bytes, int at) {
        if (type == BsonType.DOUBLE) {
            double value = Double.longBitsToDouble(Bytes.longAt(bytes, at));
            return value >= -TWO_POW_63 && value < TWO_POW_63 && value == Math.rint(value);
        }
        return type == BsonType.INT32 || type == BsonType.INT64;
    }

    static long value(int type, byte[] bytes, int at) {
        return switch (type) {
            case BsonType.INT32 -> Bytes.intAt(bytes, at);
            case BsonType.INT64 -> Bytes.longAt(bytes, at);
            default -> (long) Double.longBitsToDouble(Bytes.longAt(bytes, at));
        };
    }
}
