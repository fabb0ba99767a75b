package io.pgstress.bson.copy;

import io.pgstress.bson.BsonType;
import io.pgstress.bson.ByteSink;
import io.pgstress.bson.Bytes;
import io.pgstress.bson.json.Decimal128Text;
import io.pgstress.bson.json.Decimals;
import io.pgstress.bson.json.DoubleText;
import io.pgstress.bson.json.Fault;
import org.jspecify.annotations.Nullable;

/**
 * Fields of type numeric: any finite number. A double is written as its shortest decimal, without a zero fraction, so that 1
 * and 1.0 are one key. NaN and infinities do not fit; numeric supports infinity only from PostgreSQL 14 on.
 */
final class NumericFields {
    private final DoubleText doubles = new DoubleText();
    private final Decimal128Text decimals = new Decimal128Text();
    private final NumericBinary binary = new NumericBinary();
    private final ByteSink scratch = new ByteSink(64);

    @Nullable
    Fault text(int type, byte[] bytes, int at, int limit, ByteSink out) {
        int start = out.length();
        if (IntegerFields.isLong(type, bytes, at)) {
            Decimals.write(IntegerFields.value(type, bytes, at), out);
        } else if (type == BsonType.DOUBLE) {
            doubles.write(Double.longBitsToDouble(Bytes.longAt(bytes, at)), out);
        } else if (type == BsonType.DECIMAL128) {
            decimals.write(Bytes.longAt(bytes, at), Bytes.longAt(bytes, at + 8), out);
        } else {
            return Fault.KEY_NOT_FITTING;
        }
        byte first = out.array()[out.array()[start] == '-' ? start + 1 : start];
        return first >= '0' && first <= '9' ? null : Fault.KEY_NOT_FITTING;
    }

    @Nullable
    Fault binary(int type, byte[] bytes, int at, int limit, ByteSink out) {
        scratch.clear();
        Fault fault = text(type, bytes, at, limit, scratch);
        if (fault == null) {
            binary.write(scratch.array(), scratch.length(), out);
        }
        return fault;
    }
}
