package io.pgstress.bson.copy;

import io.pgstress.bson.BsonType;
import io.pgstress.bson.ByteSink;
import io.pgstress.bson.Bytes;
import io.pgstress.bson.json.Decimal128Text;
import io.pgstress.bson.json.Decimals;
import io.pgstress.bson.json.DoubleText;
import io.pgstress.bson.json.Fault;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Writes numbers of documents as contents of numeric fields in COPY's binary format. The value of a double is the shortest
 * decimal that identifies it, as in the document's jsonb. Not thread-safe.
 */
final class NumberFields {
    private static final long EXACT = 1L << 53;
    private static final BigDecimal LEAST = new BigDecimal("4.9E-324");
    private static final BigDecimal MOST = new BigDecimal("1.7976931348623157E+308");

    private final DoubleText doubles = new DoubleText();
    private final Decimal128Text decimals = new Decimal128Text();
    private final NumericBinary binary = new NumericBinary();
    private final ByteSink scratch = new ByteSink(64);
    private long whole;

    @Nullable
    Fault integer(int type, byte[] bytes, int at, int limit, ByteSink out) {
        if (!isWhole(type, bytes, at) || whole != (int) whole) {
            return Fault.COLUMN_NOT_FITTING;
        }
        out.putInt((int) whole);
        return null;
    }

    @Nullable
    Fault bigint(int type, byte[] bytes, int at, int limit, ByteSink out) {
        if (!isWhole(type, bytes, at)) {
            return Fault.COLUMN_NOT_FITTING;
        }
        out.putLong(whole);
        return null;
    }

    @Nullable
    Fault numeric(int type, byte[] bytes, int at, int limit, ByteSink out) {
        if (!isFinite(type, bytes, at)) {
            return Fault.COLUMN_NOT_FITTING;
        }
        binary.write(scratch.array(), scratch.length(), out);
        return null;
    }

    @Nullable
    Fault doublePrecision(int type, byte[] bytes, int at, int limit, ByteSink out) {
        double value;
        if (type == BsonType.DOUBLE) {
            value = Double.longBitsToDouble(Bytes.longAt(bytes, at));
        } else if (isFinite(type, bytes, at)) {
            BigDecimal exact = new BigDecimal(text());
            BigDecimal size = exact.abs();
            if (exact.signum() != 0 && (size.compareTo(LEAST) < 0 || size.compareTo(MOST) > 0)) {
                return Fault.COLUMN_NOT_FITTING;
            }
            value = exact.doubleValue();
        } else if (type == BsonType.DECIMAL128) {
            value = Double.parseDouble(text()); // NaN, Infinity
        } else {
            return Fault.COLUMN_NOT_FITTING;
        }
        out.putLong(Double.doubleToLongBits(value + 0.0)); // jsonb has no -0
        return null;
    }

    /** Whether the value is a number that a bigint holds exactly; sets {@link #whole}. */
    private boolean isWhole(int type, byte[] bytes, int at) {
        if (type == BsonType.INT32 || type == BsonType.INT64) {
            whole = IntegerFields.value(type, bytes, at);
            return true;
        }
        if (type == BsonType.DOUBLE) {
            double value = Double.longBitsToDouble(Bytes.longAt(bytes, at));
            if (Math.abs(value) <= EXACT) {
                whole = (long) value;
                return whole == value;
            }
        }
        if (!isFinite(type, bytes, at)) {
            return false;
        }
        try {
            whole = new BigDecimal(text()).longValueExact();
            return true;
        } catch (ArithmeticException e) {
            return false; // a fraction, or out of range
        }
    }

    /** Whether the value is a finite number; its text is in the scratch. */
    private boolean isFinite(int type, byte[] bytes, int at) {
        scratch.clear();
        switch (type) {
            case BsonType.INT32, BsonType.INT64 -> Decimals.write(IntegerFields.value(type, bytes, at), scratch);
            case BsonType.DOUBLE -> doubles.write(Double.longBitsToDouble(Bytes.longAt(bytes, at)), scratch);
            case BsonType.DECIMAL128 -> decimals.write(Bytes.longAt(bytes, at), Bytes.longAt(bytes, at + 8), scratch);
            default -> {
                return false;
            }
        }
        byte last = scratch.array()[scratch.length() - 1];
        return last >= '0' && last <= '9';
    }

    private String text() {
        return new String(scratch.array(), 0, scratch.length(), StandardCharsets.US_ASCII);
    }
}
