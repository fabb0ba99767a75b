package io.pgstress.extra;

import io.pgstress.bson.json.DateText;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * BSON values as the maps and lists that Extended JSON is read as: canonical, relaxed, or as the tools before MongoDB 4.2 wrote
 * it.
 */
public final class BsonValues {
    private static final String DATE = "$date";
    private static final String INT = "$numberInt";
    private static final String LONG = "$numberLong";
    private static final String DOUBLE = "$numberDouble";
    private static final String DECIMAL = "$numberDecimal";
    private static final String REGEX = "$regularExpression";
    private static final Set<String> NUMBERS = Set.of(INT, LONG, DOUBLE, DECIMAL);
    private static final Set<String> OTHERS = Set.of(
            DATE,
            REGEX,
            "$oid",
            "$binary",
            "$uuid",
            "$timestamp",
            "$code",
            "$symbol",
            "$dbPointer",
            "$minKey",
            "$maxKey",
            "$undefined");

    private BsonValues() {}

    /** A document, or the object that stands for a scalar; empty if the value is missing or another type. */
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

    /** The number; null if the value is none. */
    public static @Nullable Double number(@Nullable Object value) {
        Object plain = isNumber(value) ? map(value).get(first(value)) : value;
        if (plain instanceof Number number) {
            return number.doubleValue();
        }
        if (plain == value || plain == null) {
            return null;
        }
        try {
            String text = plain.toString();
            boolean isFinite = !text.equals("NaN") && !text.endsWith("Infinity");
            return isFinite ? Double.valueOf(new BigDecimal(text).doubleValue()) : Double.valueOf(text);
        } catch (NumberFormatException e) {
            return null;
        }
    }

    private static boolean isNumber(@Nullable Object value) {
        return map(value).size() == 1 && NUMBERS.contains(first(value));
    }

    /** Whether it is a decimal. */
    public static boolean isDecimal(@Nullable Object value) {
        return isNumber(value) && first(value).equals(DECIMAL);
    }

    /** A whole number, or 0 for any other value. */
    public static int whole(@Nullable Object value) {
        Double number = number(value);
        return number == null ? 0 : number.intValue();
    }

    /** Whether it is a number below 0. */
    public static boolean isNegative(@Nullable Object value) {
        Double number = number(value);
        return number != null && number < 0;
    }

    /** Whether MongoDB takes this value as true: anything but false, 0 and null. */
    public static boolean isTrue(@Nullable Object value) {
        Double number = number(value);
        return number == null ? value != null && !Boolean.FALSE.equals(value) : number != 0;
    }

    /** The instant in milliseconds since 1970; null if the value is no date. */
    public static @Nullable Long millis(@Nullable Object value) {
        Object date = map(value).get(DATE);
        if (date == null) {
            return null;
        }
        Double number = number(date);
        try {
            return number == null ? Instant.parse(date.toString()).toEpochMilli() : number.longValue();
        } catch (DateTimeException | ArithmeticException e) {
            return null;
        }
    }

    /** The name of the first field; empty if there is none. */
    public static String first(@Nullable Object value) {
        return map(value).keySet().stream().findFirst().orElse("");
    }

    /**
     * Whether it is a document, and not a scalar that Extended JSON writes as an object. A document with just such a field is
     * taken for one.
     */
    public static boolean isDocument(@Nullable Object value) {
        return value instanceof Map<?, ?> map && !isNumber(value) && !isOther(map);
    }

    private static boolean isOther(Map<?, ?> map) {
        return (map.size() == 1 && OTHERS.contains(first(map)))
                || (map.size() == 2 && map.containsKey("$code") && map.containsKey("$scope"));
    }

    /** Whether it is a document of operators, such as {@code {$gt: 5}}, and not a value. */
    public static boolean isOperators(@Nullable Object value) {
        return isDocument(value)
                && first(value).startsWith("$")
                && !first(value).equals("$ref");
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
        if (value instanceof Number || isNumber(value)) {
            return "number";
        }
        return switch (first(value)) {
            case DATE -> "date";
            case "$oid" -> "ObjectId";
            case "$ref" -> "other";
            default -> isDocument(value) ? "object" : "other";
        };
    }

    /** The value in the form that the import gives it: relaxed or canonical. */
    public static @Nullable Object asImported(@Nullable Object value, boolean canonical) {
        Long millis = millis(value);
        if (millis != null) {
            return Map.of(
                    DATE,
                    !canonical && DateText.isIso(millis)
                            ? Instant.ofEpochMilli(millis).toString()
                            : Map.of(LONG, Long.toString(millis)));
        }
        Double number = number(value);
        if (number != null) {
            return canonical ? wrapped(value) : plain(value, number);
        }
        if (value instanceof List<?> list) {
            List<@Nullable Object> items = new ArrayList<>();
            list.forEach(each -> items.add(asImported(each, canonical)));
            return items;
        }
        if (isDocument(value)) {
            Map<String, @Nullable Object> entries = new LinkedHashMap<>();
            map(value).forEach((name, each) -> entries.put(name, asImported(each, canonical)));
            return entries;
        }
        return value;
    }

    private static @Nullable Object plain(@Nullable Object value, double number) {
        boolean stays = !(value instanceof Map<?, ?>) || first(value).equals(DECIMAL) || !Double.isFinite(number);
        return stays ? value : new BigDecimal(String.valueOf(map(value).get(first(value))));
    }

    private static @Nullable Object wrapped(@Nullable Object value) {
        String name =
                value instanceof Integer ? INT : value instanceof Long ? LONG : value instanceof Double ? DOUBLE : "";
        return name.isEmpty() ? value : Map.of(name, String.valueOf(value));
    }
}
