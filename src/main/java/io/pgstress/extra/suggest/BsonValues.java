package io.pgstress.extra.suggest;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** BSON values as maps and lists, read from canonical Extended JSON. */
public final class BsonValues {
    private static final Set<String> NUMBERS = Set.of("$numberInt", "$numberLong", "$numberDouble", "$numberDecimal");
    private static final Set<String> OTHERS = Set.of(
            "$oid",
            "$date",
            "$binary",
            "$uuid",
            "$regularExpression",
            "$timestamp",
            "$code",
            "$symbol",
            "$dbPointer",
            "$minKey",
            "$maxKey",
            "$undefined",
            "$ref");

    private static final String REGEX = "$regularExpression";

    private BsonValues() {}

    /** A document; empty if the value is missing or another type. */
    @SuppressWarnings("unchecked")
    public static Map<String, Object> map(@Nullable Object value) {
        return value instanceof Map<?, ?> ? (Map<String, Object>) value : Map.of();
    }

    /** An array; empty if the value is missing or another type. */
    @SuppressWarnings("unchecked")
    public static List<@Nullable Object> list(@Nullable Object value) {
        return value instanceof List<?> ? (List<@Nullable Object>) value : List.of();
    }

    /** A string; empty if the value is missing or another type. */
    public static String text(@Nullable Object value) {
        return value instanceof String text ? text : "";
    }

    /** A number, or 0 for any other value, including NaN. */
    public static double number(@Nullable Object value) {
        Object plain = NUMBERS.contains(first(value)) ? map(value).get(first(value)) : value;
        if (plain instanceof Number number) {
            return number.doubleValue();
        }
        try {
            double parsed = plain instanceof String text ? Double.parseDouble(text) : 0;
            return Double.isNaN(parsed) ? 0 : parsed;
        } catch (NumberFormatException e) {
            return 0; // a string
        }
    }

    /** A whole number, or 0 for any other value. */
    public static int whole(@Nullable Object value) {
        return (int) number(value);
    }

    /** Whether MongoDB takes this value as true: anything but false, 0 and null. */
    public static boolean isTrue(@Nullable Object value) {
        return value instanceof Boolean bool
                ? bool
                : value != null && (!kind(value).equals("number") || number(value) != 0);
    }

    /** The name of the first field; empty if there is none. */
    public static String first(@Nullable Object value) {
        return map(value).keySet().stream().findFirst().orElse("");
    }

    /** Whether it is a document of operators, such as {@code {$gt: 5}}, and not a value. */
    public static boolean isOperators(@Nullable Object value) {
        String first = first(value);
        return first.startsWith("$") && !NUMBERS.contains(first) && !OTHERS.contains(first);
    }

    public static boolean isRegex(@Nullable Object value) {
        return first(value).equals(REGEX);
    }

    /** The pattern and options of a regular expression. */
    public static Map<String, Object> regex(@Nullable Object value) {
        return map(map(value).get(REGEX));
    }

    /** The type of a value: {@code number}, {@code date}, {@code ObjectId}, {@code object}, {@code other} and so on. */
    public static String kind(@Nullable Object value) {
        if (value == null) {
            return "null";
        }
        if (value instanceof String) {
            return "string";
        }
        if (value instanceof Boolean) {
            return "boolean";
        }
        if (value instanceof List<?>) {
            return "array";
        }
        String first = first(value);
        return switch (first) {
            case "$date" -> "date";
            case "$oid" -> "ObjectId";
            default -> {
                if (value instanceof Number || NUMBERS.contains(first)) {
                    yield "number";
                }
                yield OTHERS.contains(first) ? "other" : "object";
            }
        };
    }

    /** Dates of canonical Extended JSON. */
    static final class Dates {
        /** The end of the years that relaxed Extended JSON writes as text, 1970 to 9999. */
        private static final long YEAR_10000 =
                Instant.parse("9999-12-31T23:59:59.999Z").toEpochMilli();

        private Dates() {}

        /** Whether an import writes this date as text that sorts by time. */
        static boolean isText(@Nullable Object value) {
            double millis = millis(value);
            return BsonValues.kind(value).equals("date") && millis >= 0 && millis <= YEAR_10000;
        }

        private static double millis(@Nullable Object value) {
            return BsonValues.number(BsonValues.map(value).get("$date"));
        }

        /** The date in seconds as ISO 8601; empty for any other value. */
        static String iso(@Nullable Object value) {
            if (!BsonValues.kind(value).equals("date")) {
                return "";
            }
            Instant time = Instant.ofEpochMilli((long) millis(value));
            return time.truncatedTo(ChronoUnit.SECONDS).toString();
        }
    }
}
