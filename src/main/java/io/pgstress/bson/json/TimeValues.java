package io.pgstress.bson.json;

import io.pgstress.bson.Bytes;

/** Dates and MongoDB's internal timestamps. */
final class TimeValues {
    private static final byte[] DATE = Token.of("{'$date':'");
    private static final byte[] CLOSE_DATE = Token.of("'}");
    private static final byte[] DATE_LONG = Token.of("{'$date':{'$numberLong':'");
    private static final byte[] CLOSE_DATE_LONG = Token.of("'}}");
    private static final byte[] TIMESTAMP = Token.of("{'$timestamp':{'t':");
    private static final byte[] INCREMENT = Token.of(",'i':");
    private static final byte[] CLOSE_TIMESTAMP = Token.of("}}");

    private TimeValues() {}

    static int relaxedDate(Conversion c, int at) {
        if (!c.holds(at, 8)) {
            return c.fail(Fault.VALUE_END, at);
        }
        long millis = Bytes.longAt(c.source, at);
        if (!DateText.isIso(millis)) {
            return canonicalDate(c, at);
        }
        c.out.put(DATE);
        DateText.iso(millis, c.out);
        c.out.put(CLOSE_DATE);
        return at + 8;
    }

    static int canonicalDate(Conversion c, int at) {
        if (!c.holds(at, 8)) {
            return c.fail(Fault.VALUE_END, at);
        }
        c.out.put(DATE_LONG);
        Decimals.write(Bytes.longAt(c.source, at), c.out);
        c.out.put(CLOSE_DATE_LONG);
        return at + 8;
    }

    static int timestamp(Conversion c, int at) {
        if (!c.holds(at, 8)) {
            return c.fail(Fault.VALUE_END, at);
        }
        c.out.put(TIMESTAMP);
        Decimals.write(Integer.toUnsignedLong(Bytes.intAt(c.source, at + 4)), c.out);
        c.out.put(INCREMENT);
        Decimals.write(Integer.toUnsignedLong(Bytes.intAt(c.source, at)), c.out);
        c.out.put(CLOSE_TIMESTAMP);
        return at + 8;
    }
}
