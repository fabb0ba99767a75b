package io.pgstress.bson.json;

import io.pgstress.bson.BsonType;
import io.pgstress.bson.Bytes;
import io.pgstress.bson.Fault;
import io.pgstress.bson.json.Decimal128Text.Decimals;
import io.pgstress.bson.json.JsonOptions.ExtendedJson;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The writer for each element type in each form of Extended JSON: the conversion table of its specification. */
final class ValueWriters {
    private static final byte[] BINARY = token("{'$binary':{'base64':'");
    private static final byte[] SUBTYPE = token("','subType':'");
    private static final byte[] UUID_SUBTYPE = token("','subType':'04'}}");
    private static final byte[] CLOSE_BINARY = token("'}}");
    private static final byte[] OID = token("{'$oid':'");
    private static final byte[] DATE = token("{'$date':'");
    private static final byte[] CLOSE = token("'}");
    private static final byte[] CODE = token("{'$code':");
    private static final byte[] SCOPE = token(",'$scope':");
    private static final byte[] POINTER_ID = token(",'$id':");
    private static final byte[] REGEX_OPTIONS = token(",'options':");
    private static final byte[] INCREMENT = token(",'i':");
    private static final byte[] TRUE = token("true");
    private static final byte[] FALSE = token("false");

    /** The old binary subtype, which contains its length a second time. */
    static final byte OLD_BINARY = 2;

    private static final ValueWriter LONG_DATE = wrapped("{'$date':{'$numberLong':'", ValueWriters::int64, "'}}");
    private static final ValueWriter CANONICAL_DOUBLE = wrapped("{'$numberDouble':'", ValueWriters::anyDouble, "'}");
    private static final ValueWriter[] RELAXED = relaxed();
    private static final ValueWriter[] CANONICAL = canonical();

    private ValueWriters() {}

    /** Writers by type byte; unknown types fail. Callers must not modify the array. */
    static ValueWriter[] of(ExtendedJson mode) {
        return mode == ExtendedJson.RELAXED ? RELAXED : CANONICAL;
    }

    private static ValueWriter[] relaxed() {
        ValueWriter[] table = common();
        table[BsonType.INT32] = ValueWriters::int32;
        table[BsonType.INT64] = ValueWriters::int64;
        table[BsonType.DOUBLE] = ValueWriters::relaxedDouble;
        table[BsonType.DATE] = ValueWriters::relaxedDate;
        return table;
    }

    private static ValueWriter[] canonical() {
        ValueWriter[] table = common();
        table[BsonType.INT32] = wrapped("{'$numberInt':'", ValueWriters::int32, "'}");
        table[BsonType.INT64] = wrapped("{'$numberLong':'", ValueWriters::int64, "'}");
        table[BsonType.DOUBLE] = CANONICAL_DOUBLE;
        table[BsonType.DATE] = LONG_DATE;
        return table;
    }

    private static ValueWriter[] common() {
        ValueWriter[] table = new ValueWriter[256];
        Arrays.fill(table, (ValueWriter) (conversion, at) -> conversion.fail(Fault.UNKNOWN_TYPE, at));
        table[BsonType.STRING] = Conversion::string;
        table[BsonType.DOCUMENT] = (conversion, at) -> conversion.open(Frames.OBJECT, at);
        table[BsonType.ARRAY] = (conversion, at) -> conversion.open(Frames.ARRAY, at);
        table[BsonType.BINARY] = ValueWriters::binary;
        table[BsonType.OBJECT_ID] = ValueWriters::objectId;
        table[BsonType.BOOLEAN] = ValueWriters::bool;
        table[BsonType.NULL] = constant("null");
        table[BsonType.UNDEFINED] = constant("{'$undefined':true}");
        table[BsonType.MIN_KEY] = constant("{'$minKey':1}");
        table[BsonType.MAX_KEY] = constant("{'$maxKey':1}");
        table[BsonType.REGEX] = wrapped("{'$regularExpression':{'pattern':", ValueWriters::regex, "}}");
        table[BsonType.DB_POINTER] = wrapped("{'$dbPointer':{'$ref':", ValueWriters::dbPointer, "}}");
        table[BsonType.CODE] = wrapped("{'$code':", Conversion::string, "}");
        table[BsonType.SYMBOL] = wrapped("{'$symbol':", Conversion::string, "}");
        table[BsonType.CODE_WITH_SCOPE] = ValueWriters::codeWithScope;
        table[BsonType.TIMESTAMP] = wrapped("{'$timestamp':{'t':", ValueWriters::timestamp, "}}");
        table[BsonType.DECIMAL128] = wrapped("{'$numberDecimal':'", ValueWriters::decimal128, "'}");
        return table;
    }

    /** The bytes of a piece of JSON in which ' stands for ", for readability. */
    private static byte[] token(String json) {
        return json.replace('\'', '"').getBytes(StandardCharsets.US_ASCII);
    }

    private static ValueWriter constant(String json) {
        byte[] token = token(json);
        return (c, at) -> {
            c.out.put(token);
            return at;
        };
    }

    private static ValueWriter wrapped(String before, ValueWriter inner, String after) {
        byte[] open = token(before);
        byte[] close = token(after);
        return (c, at) -> {
            c.out.put(open);
            int next = inner.write(c, at);
            c.out.put(close);
            return next;
        };
    }

    private static int binary(Conversion c, int at) {
        if (!c.holds(at, 5)) {
            return c.fail(Fault.VALUE_END, at);
        }
        int size = Bytes.intAt(c.source, at);
        if (size < 0 || !c.holds(at + 5, size)) {
            return c.fail(Fault.BINARY_LENGTH, at);
        }
        int from = at + 5;
        if (c.source[at + 4] == OLD_BINARY) {
            if (size < 4 || Bytes.intAt(c.source, from) != size - 4) {
                return c.fail(Fault.BINARY_LENGTH, at);
            }
            from += 4;
        }
        int end = at + 5 + size;
        c.out.put(BINARY);
        if (c.uuids.converts(BsonType.BINARY, c.source, at)) {
            c.uuids.write(c.source, from, c.uuid, 0);
            Encodings.base64(c.uuid, 0, c.uuid.length, c.out);
            c.out.put(UUID_SUBTYPE);
            return end;
        }
        c.keepsUuid |= LegacyUuids.isAt(BsonType.BINARY, c.source, at);
        Encodings.base64(c.source, from, end - from, c.out);
        c.out.put(SUBTYPE);
        Encodings.hex(c.source, at + 4, 1, c.out);
        c.out.put(CLOSE_BINARY);
        return end;
    }

    private static int objectId(Conversion c, int at) {
        c.out.put(OID);
        Encodings.hex(c.source, at, 12, c.out);
        c.out.put(CLOSE);
        return at + 12;
    }

    private static int dbPointer(Conversion c, int at) {
        int id = c.string(at);
        if (id < 0) {
            return id;
        }
        c.out.put(POINTER_ID);
        return c.holds(id, 12) ? objectId(c, id) : c.fail(Fault.VALUE_END, id);
    }

    /** Writes the code and opens the scope, whose frame also closes the wrapper. */
    private static int codeWithScope(Conversion c, int at) {
        if (!c.holds(at, 4)) {
            return c.fail(Fault.VALUE_END, at);
        }
        int size = Bytes.intAt(c.source, at);
        if (size < 0 || !c.holds(at, size)) {
            return c.fail(Fault.SCOPE_LENGTH, at);
        }
        c.out.put(CODE);
        int scope = c.string(at + 4);
        if (scope < 0) {
            return scope;
        }
        c.out.put(SCOPE);
        int next = c.open(Frames.SCOPE, scope);
        return next >= 0 && c.limit + 1 != at + size ? c.fail(Fault.SCOPE_LENGTH, at) : next;
    }

    private static int bool(Conversion c, int at) {
        byte value = c.source[at];
        if (value != 0 && value != 1) {
            return c.fail(Fault.BOOLEAN_VALUE, at);
        }
        c.out.put(value == 1 ? TRUE : FALSE);
        return at + 1;
    }

    private static int int32(Conversion c, int at) {
        Decimals.write(Bytes.intAt(c.source, at), c.out);
        return at + 4;
    }

    private static int int64(Conversion c, int at) {
        Decimals.write(Bytes.longAt(c.source, at), c.out);
        return at + 8;
    }

    private static int anyDouble(Conversion c, int at) {
        c.doubles.write(Double.longBitsToDouble(Bytes.longAt(c.source, at)), c.out);
        return at + 8;
    }

    private static int relaxedDouble(Conversion c, int at) {
        return Double.isFinite(Double.longBitsToDouble(Bytes.longAt(c.source, at)))
                ? anyDouble(c, at)
                : CANONICAL_DOUBLE.write(c, at);
    }

    private static int decimal128(Conversion c, int at) {
        c.decimals.write(Bytes.longAt(c.source, at), Bytes.longAt(c.source, at + 8), c.out);
        return at + 16;
    }

    private static int relaxedDate(Conversion c, int at) {
        long millis = Bytes.longAt(c.source, at);
        if (!DateText.isIso(millis)) {
            return LONG_DATE.write(c, at);
        }
        c.out.put(DATE);
        DateText.iso(millis, c.out);
        c.out.put(CLOSE);
        return at + 8;
    }

    /** MongoDB's internal timestamps: an increment, then the seconds. */
    private static int timestamp(Conversion c, int at) {
        Decimals.write(Integer.toUnsignedLong(Bytes.intAt(c.source, at + 4)), c.out);
        c.out.put(INCREMENT);
        Decimals.write(Integer.toUnsignedLong(Bytes.intAt(c.source, at)), c.out);
        return at + 8;
    }

    /** Writes regular expressions, with their options in alphabetical order as specified. */
    private static int regex(Conversion c, int at) {
        int options = c.cstring(at);
        if (options < 0) {
            return options;
        }
        c.out.put(REGEX_OPTIONS);
        int end = Bytes.nulAt(c.source, options, c.limit);
        if (end < 0) {
            return c.fail(Fault.CSTRING_END, options);
        }
        boolean done = KeyOrder.isAscii(c.source, options, end) ? sorted(c, options, end) : c.quoted(options, end);
        return done ? end + 1 : Conversion.FAULT;
    }

    /** Writes the options sorted, by counting each letter; there are few. */
    private static boolean sorted(Conversion c, int from, int end) {
        c.out.put('"');
        for (int letter = 1; letter < 128 && end > from; letter++) {
            for (int i = from; i < end; i++) {
                if (c.source[i] == letter && !c.text.write(c.source, i, i + 1, c.out)) {
                    return false;
                }
            }
        }
        c.out.put('"');
        return true;
    }

    /** Writes the JSON of one BSON type's values. */
    @FunctionalInterface
    interface ValueWriter {
        /**
         * Writes the value at {@code at}, of which {@link io.pgstress.bson.Elements#fixedSize} bytes are there; returns the index
         * after it, or {@link Conversion#FAULT} with the fault set.
         */
        int write(Conversion conversion, int at);
    }
}
