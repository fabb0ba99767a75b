package io.pgstress.bson.timeseries;

import io.pgstress.bson.BsonType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Set;

/** A BSON value in tests: its type and bytes. */
final class Value {
    private static final Set<Integer> ONLY_EQUAL = Set.of(
            BsonType.DOCUMENT,
            BsonType.ARRAY,
            BsonType.NULL,
            BsonType.UNDEFINED,
            BsonType.REGEX,
            BsonType.SYMBOL,
            BsonType.DB_POINTER,
            BsonType.CODE_WITH_SCOPE,
            BsonType.MIN_KEY,
            BsonType.MAX_KEY);

    private final int type;
    private final byte[] bytes;

    Value(int type, byte[] bytes) {
        this.type = type;
        this.bytes = bytes;
    }

    static Value of(int type, long number) {
        int size = type == BsonType.INT32 ? 4 : type == BsonType.BOOLEAN ? 1 : 8;
        byte[] all = ByteBuffer.allocate(8)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(number)
                .array();
        return new Value(type, Arrays.copyOf(all, size));
    }

    static Value of(double number) {
        return of(BsonType.DOUBLE, Double.doubleToRawLongBits(number));
    }

    static Value string(int type, byte[] text) {
        ByteBuffer all = ByteBuffer.allocate(text.length + 5).order(ByteOrder.LITTLE_ENDIAN);
        return new Value(type, all.putInt(text.length + 1).put(text).array());
    }

    static Value binary(int subtype, byte[] contents) {
        ByteBuffer all = ByteBuffer.allocate(contents.length + 5).order(ByteOrder.LITTLE_ENDIAN);
        return new Value(
                BsonType.BINARY,
                all.putInt(contents.length).put((byte) subtype).put(contents).array());
    }

    int type() {
        return type;
    }

    byte[] bytes() {
        return bytes;
    }

    boolean same(Value other) {
        return type == other.type && Arrays.equals(bytes, other.bytes);
    }

    byte[] literal() {
        return ByteBuffer.allocate(bytes.length + 2)
                .put((byte) type)
                .put((byte) 0)
                .put(bytes)
                .array();
    }

    boolean wide() {
        return Set.of(BsonType.STRING, BsonType.CODE, BsonType.BINARY, BsonType.DECIMAL128)
                .contains(type);
    }

    /** Whether differences of differences are stored. */
    boolean twice() {
        return Set.of(BsonType.DATE, BsonType.TIMESTAMP, BsonType.OBJECT_ID).contains(type);
    }

    /** Whether differences to a value can be stored, beside equality. */
    boolean likes(Value start) {
        return switch (type) {
            case BsonType.OBJECT_ID ->
                Arrays.equals(Arrays.copyOfRange(bytes, 4, 9), Arrays.copyOfRange(start.bytes, 4, 9));
            case BsonType.BINARY ->
                bytes.length <= 21 && Arrays.equals(Arrays.copyOf(bytes, 5), Arrays.copyOf(start.bytes, 5));
            default -> !ONLY_EQUAL.contains(type);
        };
    }

    /** The number whose differences are stored; null if there is none. */
    BigInteger number(Scale scale) {
        return switch (type) {
            case BsonType.DOUBLE -> scaled(scale);
            case BsonType.BOOLEAN,
                    BsonType.INT32,
                    BsonType.INT64,
                    BsonType.DATE,
                    BsonType.TIMESTAMP,
                    BsonType.DECIMAL128 -> reversed(bytes);
            case BsonType.OBJECT_ID ->
                new BigInteger(1, new byte[] {bytes[0], bytes[1], bytes[9], bytes[2], bytes[10], bytes[3], bytes[11]});
            case BsonType.STRING, BsonType.CODE -> text();
            case BsonType.BINARY -> contents();
            default -> null;
        };
    }

    private BigInteger text() {
        byte[] text = Arrays.copyOfRange(bytes, 4, bytes.length - 1);
        if (text.length > 16 || (text.length > 0 && text[0] == 0)) {
            return null;
        }
        return new BigInteger(1, text);
    }

    private BigInteger contents() {
        if (bytes.length > 21) {
            return null;
        }
        return unsigned(Arrays.copyOfRange(bytes, 5, bytes.length));
    }

    private BigInteger scaled(Scale scale) {
        long bits = reversed(bytes).longValue();
        double value = Double.longBitsToDouble(bits);
        if (scale == Scale.BITS) {
            return BigInteger.valueOf(bits);
        }
        if (!Double.isFinite(value) || bits == Long.MIN_VALUE) {
            return null;
        }
        long factor = new long[] {0, 1, 10, 100, 10_000, 100_000_000}[scale.ordinal()];
        BigInteger whole = new BigDecimal(value)
                .multiply(BigDecimal.valueOf(factor))
                .setScale(0, java.math.RoundingMode.HALF_EVEN)
                .toBigInteger();
        boolean exact = whole.bitLength() <= 50 && whole.longValue() / (double) factor == value;
        if (!exact) {
            return null;
        }
        return whole;
    }

    /** Signed and little-endian. */
    private static BigInteger reversed(byte[] bytes) {
        byte[] copy = new byte[bytes.length];
        for (int i = 0; i < copy.length; i++) {
            copy[i] = bytes[bytes.length - 1 - i];
        }
        return new BigInteger(copy);
    }

    private static BigInteger unsigned(byte[] bytes) {
        byte[] copy = new byte[bytes.length + 1];
        System.arraycopy(bytes, 0, copy, 0, bytes.length);
        return reversed(copy);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Value value && same(value);
    }

    @Override
    public int hashCode() {
        return 31 * type + Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return Integer.toHexString(type) + ":" + HexFormat.of().formatHex(bytes);
    }
}
