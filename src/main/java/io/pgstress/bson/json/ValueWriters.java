package io.pgstress.bson.json;

import io.pgstress.bson.BsonType;
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
}
