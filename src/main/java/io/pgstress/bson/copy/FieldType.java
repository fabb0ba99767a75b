package io.pgstress.bson.copy;

import io.pgstress.bson.BsonType;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The types of columns for values of documents, and which values fit them. */
public enum FieldType {
    /** Strings, symbols and ObjectIds. */
    TEXT("text"),
    /** Numbers without a fraction, in its range. */
    INT("integer", "int int4"),
    /** Numbers without a fraction, in its range. */
    BIGINT("bigint", "int8"),
    /** Numbers in its range, rounded to its precision; NaN and infinities. */
    DOUBLE("double precision", "double float8"),
    /** Finite numbers. */
    NUMERIC("numeric", "decimal"),
    /** Booleans. */
    BOOLEAN("boolean", "bool"),
    /** Dates, 4713 BC to AD 294276. */
    TIMESTAMPTZ("timestamp with time zone", "timestamptz"),
    /** The day of dates in UTC. */
    DATE("date"),
    /** Binary data of subtype 4 and 16 bytes. */
    UUID("uuid"),
    /** Any value. */
    JSONB("jsonb");

    private final String sql;
    /** Further names, separated by spaces. */
    private final String aliases;

    FieldType(String sql) {
        this(sql, "");
    }

    FieldType(String sql, String aliases) {
        this.sql = sql;
        this.aliases = aliases;
    }

    /** The type's name in SQL, as {@code format_type} returns it. */
    public String sql() {
        return sql;
    }

    /** The type of this name, in letters of any case. */
    public static Optional<FieldType> of(String name) {
        String wanted = name.strip().toLowerCase(Locale.ROOT).replaceAll("\\s+", " ");
        return Arrays.stream(wanted.isEmpty() ? new FieldType[0] : values())
                .filter(type -> type.sql.equals(wanted)
                        || List.of(type.aliases.split(" ")).contains(wanted))
                .findFirst();
    }

    /** The names in SQL, in short. */
    public static List<String> names() {
        return Arrays.stream(values())
                .map(type -> type == TIMESTAMPTZ ? "timestamptz" : type.sql)
                .toList();
    }

    /** A BSON type in words, with an article. */
    static String phrase(int bsonType) {
        return switch (bsonType) {
            case BsonType.DOUBLE -> "a double";
            case BsonType.STRING -> "a string";
            case BsonType.DOCUMENT -> "a document";
            case BsonType.ARRAY -> "an array";
            case BsonType.BINARY -> "binary data";
            case BsonType.UNDEFINED -> "undefined";
            case BsonType.OBJECT_ID -> "an ObjectId";
            case BsonType.BOOLEAN -> "a boolean";
            case BsonType.DATE -> "a date";
            case BsonType.NULL -> "null";
            case BsonType.REGEX -> "a regular expression";
            case BsonType.DB_POINTER -> "a DBPointer";
            case BsonType.CODE, BsonType.CODE_WITH_SCOPE -> "JavaScript";
            case BsonType.SYMBOL -> "a symbol";
            case BsonType.INT32 -> "an int32";
            case BsonType.TIMESTAMP -> "an internal timestamp";
            case BsonType.INT64 -> "an int64";
            case BsonType.DECIMAL128 -> "a decimal128";
            case BsonType.MIN_KEY -> "MinKey";
            default -> "MaxKey";
        };
    }
}
