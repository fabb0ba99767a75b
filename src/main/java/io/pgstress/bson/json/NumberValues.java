package io.pgstress.bson.json;

import io.pgstress.bson.Bytes;

/** Writes int32, int64, double and decimal128, with or without wrappers. */
final class NumberValues {
    private static final byte[] NUMBER_INT = Token.of("{'$numberInt':'");
    private static final byte[] NUMBER_LONG = Token.of("{'$numberLong':'");
    private static final byte[] NUMBER_DOUBLE = Token.of("{'$numberDouble':'");
    private static final byte[] NUMBER_DECIMAL = Token.of("{'$numberDecimal':'");
    private static final byte[] CLOSE = Token.of("'}");

    private NumberValues() {}

    static int int32(Conversion c, int at) {
        if (!c.holds(at, 4)) {
            return c.fail(Fault.VALUE_END, at);
        }
        Decimals.write(Bytes.intAt(c.source, at), c.out);
        return at + 4;
    }

    static int int64(Conversion c, int at) {
        if (!c.holds(at, 8)) {
            return c.fail(Fault.VALUE_END, at);
        }
        Decimals.write(Bytes.longAt(c.source, at), c.out);
        return at + 8;
    }

    static int canonicalInt32(Conversion c, int at) {
        c.out.put(NUMBER_INT);
        int next = int32(c, at);
        c.out.put(CLOSE);
        return next;
    }

    static int canonicalInt64(Conversion c, int at) {
        c.out.put(NUMBER_LONG);
        int next = int64(c, at);
        c.out.put(CLOSE);
        return next;
    }

    static int relaxedDouble(Conversion c, int at) {
        if (!c.holds(at, 8)) {
            return c.fail(Fault.VALUE_END, at);
        }
        double value = Double.longBitsToDouble(Bytes.longAt(c.source, at));
        if (!Double.isFinite(value)) {
            return canonicalDouble(c, at);
        }
        c.doubles.write(value, c.out);
        return at + 8;
    }

    static int canonicalDouble(Conversion c, int at) {
        if (!c.holds(at, 8)) {
            return c.fail(Fault.VALUE_END, at);
        }
        c.out.put(NUMBER_DOUBLE);
        c.doubles.write(Double.longBitsToDouble(Bytes.longAt(c.source, at)), c.out);
        c.out.put(CLOSE);
        return at + 8;
    }

    static int decimal128(Conversion c, int at) {
        if (!c.holds(at, 16)) {
            return c.fail(Fault.VALUE_END, at);
        }
        c.out.put(NUMBER_DECIMAL);
        c.decimals.write(Bytes.longAt(c.source, at), Bytes.longAt(c.source, at + 8), c.out);
        c.out.put(CLOSE);
        return at + 16;
    }
}
