package io.pgstress.bson.json;

import io.pgstress.bson.BsonType;
import io.pgstress.bson.Bytes;
import io.pgstress.bson.json.Decimal128Text.Decimals;
import io.pgstress.bson.json.JsonOptions.ExtendedJson;
import java.util.Arrays;

/** The writer for each element type in each form of Extended JSON: the conversion table of its specification. */
final class ValueWriters {
    private static final ValueWriter[] RELAXED = relaxed();
    private static final ValueWriter[] CANONICAL = canonical();

    private ValueWriters() {}

    /** Writers by type byte; unknown types fail. Callers must not modify the array. */
    static ValueWriter[] of(ExtendedJson mode) {
        return mode == ExtendedJson.RELAXED ? RELAXED : CANONICAL;
    }

    private static ValueWriter[] relaxed() {
        ValueWriter[] table = common();
        table[BsonType.INT32] = NumberValues::int32;
        table[BsonType.INT64] = NumberValues::int64;
        table[BsonType.DOUBLE] = NumberValues::relaxedDouble;
        table[BsonType.DATE] = TimeValues::relaxedDate;
        return table;
    }

    private static ValueWriter[] canonical() {
        ValueWriter[] table = common();
        table[BsonType.INT32] = NumberValues::canonicalInt32;
        table[BsonType.INT64] = NumberValues::canonicalInt64;
        table[BsonType.DOUBLE] = NumberValues::canonicalDouble;
        table[BsonType.DATE] = TimeValues::canonicalDate;
        return table;
    }

    private static ValueWriter[] common() {
        ValueWriter[] table = new ValueWriter[256];
        Arrays.fill(table, (ValueWriter) (conversion, at) -> conversion.fail(Fault.UNKNOWN_TYPE, at));
        table[BsonType.STRING] = Conversion::string;
        table[BsonType.DOCUMENT] = (conversion, at) -> conversion.open(Frames.OBJECT, at);
        table[BsonType.ARRAY] = (conversion, at) -> conversion.open(Frames.ARRAY, at);
        table[BsonType.BINARY] = BinaryValues::binary;
        table[BsonType.OBJECT_ID] = BinaryValues::objectId;
        table[BsonType.BOOLEAN] = ConstantValues::bool;
        table[BsonType.NULL] = ConstantValues::nothing;
        table[BsonType.UNDEFINED] = ConstantValues::undefined;
        table[BsonType.MIN_KEY] = ConstantValues::minKey;
        table[BsonType.MAX_KEY] = ConstantValues::maxKey;
        table[BsonType.REGEX] = RegexValues::regex;
        table[BsonType.DB_POINTER] = BinaryValues::dbPointer;
        table[BsonType.CODE] = CodeValues::code;
        table[BsonType.SYMBOL] = CodeValues::symbol;
        table[BsonType.CODE_WITH_SCOPE] = CodeValues::codeWithScope;
        table[BsonType.TIMESTAMP] = TimeValues::timestamp;
        table[BsonType.DECIMAL128] = NumberValues::decimal128;
        return table;
    }

    /** Binary data, ObjectIds, and the deprecated pointer that holds one. */
    static final class BinaryValues {
        private static final byte[] BINARY = Token.of("{'$binary':{'base64':'");
        private static final byte[] SUBTYPE = Token.of("','subType':'");
        private static final byte[] CLOSE_BINARY = Token.of("'}}");
        private static final byte[] OID = Token.of("{'$oid':'");
        private static final byte[] CLOSE_OID = Token.of("'}");
        private static final byte[] DB_POINTER = Token.of("{'$dbPointer':{'$ref':");
        private static final byte[] POINTER_ID = Token.of(",'$id':");
        private static final byte[] CLOSE_POINTER = Token.of("}}");

        /** The old binary subtype, which contains its length a second time. */
        private static final byte OLD_BINARY = 2;

        private BinaryValues() {}

        static int binary(Conversion c, int at) {
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
            Encodings.base64(c.source, from, end - from, c.out);
            c.out.put(SUBTYPE);
            Encodings.hex(c.source, at + 4, 1, c.out);
            c.out.put(CLOSE_BINARY);
            return end;
        }

        static int objectId(Conversion c, int at) {
            if (!c.holds(at, 12)) {
                return c.fail(Fault.VALUE_END, at);
            }
            c.out.put(OID);
            Encodings.hex(c.source, at, 12, c.out);
            c.out.put(CLOSE_OID);
            return at + 12;
        }

        static int dbPointer(Conversion c, int at) {
            c.out.put(DB_POINTER);
            int id = c.string(at);
            if (id < 0) {
                return id;
            }
            c.out.put(POINTER_ID);
            int next = objectId(c, id);
            c.out.put(CLOSE_POINTER);
            return next;
        }
    }

    /** JavaScript code, with and without scope, and the deprecated symbol: strings in wrappers. */
    static final class CodeValues {
        private static final byte[] CODE = Token.of("{'$code':");
        private static final byte[] SCOPE = Token.of(",'$scope':");
        private static final byte[] SYMBOL = Token.of("{'$symbol':");

        private CodeValues() {}

        static int code(Conversion c, int at) {
            c.out.put(CODE);
            int next = c.string(at);
            c.out.put('}');
            return next;
        }

        static int symbol(Conversion c, int at) {
            c.out.put(SYMBOL);
            int next = c.string(at);
            c.out.put('}');
            return next;
        }

        /** Writes the code and opens the scope, whose frame also closes the wrapper. */
        static int codeWithScope(Conversion c, int at) {
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
    }

    /** Values written as a word or a fixed wrapper: booleans, null, undefined, MinKey and MaxKey. */
    static final class ConstantValues {
        private static final byte[] TRUE = Token.of("true");
        private static final byte[] FALSE = Token.of("false");
        private static final byte[] NULL = Token.of("null");
        private static final byte[] UNDEFINED = Token.of("{'$undefined':true}");
        private static final byte[] MIN_KEY = Token.of("{'$minKey':1}");
        private static final byte[] MAX_KEY = Token.of("{'$maxKey':1}");

        private ConstantValues() {}

        static int bool(Conversion c, int at) {
            if (!c.holds(at, 1)) {
                return c.fail(Fault.VALUE_END, at);
            }
            byte value = c.source[at];
            if (value != 0 && value != 1) {
                return c.fail(Fault.BOOLEAN_VALUE, at);
            }
            c.out.put(value == 1 ? TRUE : FALSE);
            return at + 1;
        }

        static int nothing(Conversion c, int at) {
            c.out.put(NULL);
            return at;
        }

        static int undefined(Conversion c, int at) {
            c.out.put(UNDEFINED);
            return at;
        }

        static int minKey(Conversion c, int at) {
            c.out.put(MIN_KEY);
            return at;
        }

        static int maxKey(Conversion c, int at) {
            c.out.put(MAX_KEY);
            return at;
        }
    }

    /** Writes int32, int64, double and decimal128, with or without wrappers. */
    static final class NumberValues {
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

    /** Writes regular expressions, with their options in alphabetical order as specified. */
    static final class RegexValues {
        private static final byte[] REGEX = Token.of("{'$regularExpression':{'pattern':");
        private static final byte[] OPTIONS = Token.of(",'options':");
        private static final byte[] CLOSE = Token.of("}}");

        private RegexValues() {}

        static int regex(Conversion c, int at) {
            c.out.put(REGEX);
            int options = c.cstring(at);
            if (options < 0) {
                return options;
            }
            c.out.put(OPTIONS);
            int end = Bytes.nulAt(c.source, options, c.limit);
            if (end < 0) {
                return c.fail(Fault.CSTRING_END, options);
            }
            if (!(isAscii(c, options, end) ? sorted(c, options, end) : c.quoted(options, end))) {
                return Conversion.FAULT;
            }
            c.out.put(CLOSE);
            return end + 1;
        }

        private static boolean isAscii(Conversion c, int from, int end) {
            for (int i = from; i < end; i++) {
                if (c.source[i] < 0) {
                    return false;
                }
            }
            return true;
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
    }

    /** Dates and MongoDB's internal timestamps. */
    static final class TimeValues {
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

    /** Writes the JSON of one BSON type's values. */
    @FunctionalInterface
    interface ValueWriter {
        /** Writes the value at {@code at}; returns the index after it, or {@link Conversion#FAULT} with the fault set. */
        int write(Conversion conversion, int at);
    }
}
